"""What tests, benchmarks and tools share: games, walks through them, comparisons and recordings."""
