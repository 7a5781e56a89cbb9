/**
 * Decides which modules share a file. Without this the bundler makes one file for every combination of pages,
 * and a page then fetches dozens. A group takes its modules together with everything they import that no
 * group above it has taken.
 */
export const chunkGroups = [
  // These packages change rarely, so the file stays in the browser's cache from one release to the next.
  { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 9 },
  // The router, queries, languages, and the frame around every page.
  { name: 'base', tags: ['$initial' as const], priority: 8 },
  // Building blocks of pages that work without the component library, and the common words.
  {
    name: 'plain',
    test: /src[\\/]shared[\\/](copy[\\/]copy|format|groups|i18n|icon|page[\\/](?!filter-input)|status)[^?]*$/,
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
    test: /src[\\/]shared[\\/]table[\\/](data-table|column-settings-button|keyset|page-of|use-[\w-]+)\.tsx?$/,
    priority: 4,
  },
  { name: 'routes', test: /contract[\\/]src[\\/](group|log|model|net-quota)\.ts$/, priority: 4 },
  // Styles and helpers that many controls share, each too small for a file of its own.
  {
    name: 'controls',
    test: /antd[\\/]es[\\/](input[\\/]style|space|style|_util[\\/](?!ContextIsolator))/,
    minShareCount: 2,
    priority: 3,
  },
]
