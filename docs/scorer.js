// How the search of the site ranks pages: as Sphinx does, but among equals the rules of a game come first.
var Scorer = {
  score: ([docname, , , , score]) => (docname.startsWith("docs/rules/") ? score + 1 : score),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
