/**
 * Which modules share a file. Left to itself the bundler makes one file for every combination of pages, and a page then
 * fetches dozens. A group takes its modules together with everything they import that no group above it has taken.
 */
export const chunkGroups = [
  // Changes rarely: it stays in the browser's cache from one release to the next.
  { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 9 },
  // Router, queries, languages, the frame around every page.
  { name: 'base', tags: ['$initial' as const], priority: 8 },
  // What pages are made of that works without the component library.
  {
    name: 'plain',
    test: /src[\\/]shared[\\/](copy[\\/]copy|format|groups|icon|page[\\/](?!filter-input)|status)[^?]*$/,
    priority: 7,
  },
  { name: 'table', test: /src[\\/]shared[\\/]table[\\/]plain-table\.tsx$/, priority: 6 },
  {
    name: 'library',
    test: /src[\\/]shared[\\/]design[\\/]component-library\.tsx$|antd[\\/]es[\\/]button[\\/]index/,
    priority: 5,
  },
  {
    name: 'lists',
    test: /src[\\/]shared[\\/]table[\\/](data-table|column-settings-button|keyset|use-[\w-]+)\.tsx?$/,
    priority: 4,
  },
  { name: 'routes', test: /contract[\\/]src[\\/](group|model|net-quota)\.ts$/, priority: 4 },
  // Styles and helpers that many controls share, each too small for a file of its own.
  {
    name: 'controls',
    test: /antd[\\/]es[\\/](input[\\/]style|space|style|_util[\\/](?!ContextIsolator))/,
    minShareCount: 2,
    priority: 3,
  },
]
