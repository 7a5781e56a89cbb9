// The figures as a table: kinds as columns, packages as rows, and below what stands alone.

const PACKAGE_KINDS = {
  'source-lines': 'lines',
  files: 'files',
  'exported-names': 'exported',
  'exported-functions-xOf': 'xOf',
  'participle-types': 'participles',
  'small-files-with-one-importer': 'small files',
}

/**
 * @param {Map<string, import('./measure.mjs').Figure>} figures
 * @param {string[]} commits of fixes without a reason
 */
export function formatReport(figures, commits) {
  const kinds = Object.keys(PACKAGE_KINDS)
  const packages = [...figures.keys()].filter((key) => key.endsWith(' files')).map((key) => key.split(' ')[0])
  const rows = packages.map((name) => [
    name,
    ...kinds.map((kind) => figures.get(`${name} ${kind}`)?.value ?? 0),
  ])
  const sums = kinds.map((_, index) => rows.reduce((sum, row) => sum + row[index + 1], 0))
  const table = [['package', ...Object.values(PACKAGE_KINDS)], ...rows, ['all', ...sums]]
  const others = [...figures].filter(([key]) => !kinds.includes(key.split(' ')[1]))
  return [
    ...table.map(formatRow),
    ...others.flatMap(([key, { value, items }]) => [
      '',
      `${key} ${value}`,
      ...items.map((item) => `  ${item}`),
    ]),
    '',
    `commits of type fix or perf without a body since the figures changed: ${commits.length}`,
    ...commits.map((commit) => `  ${commit}`),
    '',
  ].join('\n')
}

function formatRow([name, ...cells]) {
  return name.padEnd(24) + cells.map((cell) => String(cell).padStart(12)).join('')
}
