import { readFileSync } from 'node:fs'

/**
 * For tests: reads the cells of a table of docs/reference/providers.md that claim support, such as `24 chat`.
 * Tables are counted from 1.
 */
export function claimsOf(table: number, columns: readonly string[]): string[] {
  const page = readFileSync(new URL('../../../../docs/reference/providers.md', import.meta.url), 'utf8')
  const rows = page.split('| type | provider |')[table]?.split('\n\n')[0]?.split('\n').slice(2) ?? []
  return rows.flatMap((row) => {
    const [, type = '', , ...cells] = row.split('|').map((cell) => cell.trim())
    return columns.flatMap((column, at) => (cells[at] === '–' ? [] : [`${type} ${column}`]))
  })
}
