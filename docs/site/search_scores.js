// How the search of the site ranks its results: a page of the docs before an entry of the API, and titles before text.
var Scorer = {
  score: ([document, title, , , score, , kind]) => {
    const isEntry = kind === "object" || kind === "index";
    const isForContributors = /^(CONTRIBUTING|CHANGELOG|docs\/(development|dependencies|releasing|architecture|plain-english|benchmarks))$/.test(document);
    const place = isForContributors ? -10 : document.startsWith("docs/") ? 4 : document.startsWith("reference/api/") ? 2 : document.startsWith("reference/") ? -6 : 0;
    return score + place - (isEntry ? 20 : 0) + (kind === "title" ? 12 : 0) - title.length / 100;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
