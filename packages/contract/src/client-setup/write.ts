import type { SetupBlock } from './setup.ts'

export type Shell = 'sh' | 'powershell'

/** The block as text to copy. */
export function textOf(block: SetupBlock, shell: Shell = 'sh'): string {
  if (block.type === 'fields') return block.fields.map(({ name, value }) => `${name}: ${value}`).join('\n')
  if (block.type !== 'environment') return block.text
  const lines = Object.entries(block.variables).map(([name, value]) =>
    shell === 'sh' ? `export ${name}=${inShell(value)}` : `$env:${name} = ${inPowerShell(value)}`,
  )
  return lines.join('\n')
}

/** Quotes a word so that a shell takes it literally: model names may contain anything. */
export function inShell(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}

function inPowerShell(word: string): string {
  return `'${word.replaceAll("'", "''")}'`
}

/** A JSON string is also a valid TOML, Python and TypeScript string, except for the rare code point 127. */
export function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('\u007F', String.raw`\u007f`)
}

export function jsonFile(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
