// Runs a program for WASI in node, which reads files below the current folder: node wasi.mjs PROGRAM [WORD ...]
import fs from "node:fs";
import { WASI } from "node:wasi";

const [, , program, ...words] = process.argv;
const wasi = new WASI({ version: "preview1", args: [program, ...words], preopens: { ".": "." } });
const module = await WebAssembly.compile(fs.readFileSync(program));
process.exitCode = wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));
