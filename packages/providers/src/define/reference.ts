import { resolveEndpoint } from '../prepare/resolve-endpoint.ts'
import type { Provider } from '../provider.ts'

export const CALLERS = [
  ['chat', 'OpenAI chat'],
  ['messages', 'Anthropic Messages'],
  ['responses', 'OpenAI Responses'],
  ['generate', 'Gemini'],
] as const

/** The media operations, as columns of the second table. */
export const MEDIA = [
  ['rerank', 'rerank'],
  ['images', 'images'],
  ['image-edits', 'image edits'],
  ['image-variations', 'variations'],
  ['speech', 'speech'],
  ['transcriptions', 'transcriptions'],
  ['translations', 'translations'],
  ['realtime', 'Realtime'],
  ['search', 'web search'],
] as const

/** A table of providers in a page: its title row and all rows below. */
const TABLE = /^\| type \| provider \|.*\n(?:\|.*\n)+/gm

/**
 * Replaces the tables of the page `docs/reference/providers.md` with those of the registry, so that the two
 * cannot drift apart. The text around the tables is written by hand.
 */
export function withProviderTables(page: string, providers: readonly Provider[]): string {
  const sorted = providers.toSorted((a, b) => a.type - b.type)
  const tables = [callerTable, mediaTable, taskTable].map((table) => table(sorted))
  return page.replace(TABLE, () => `${tables.shift()?.join('\n')}\n`)
}

function callerTable(providers: readonly Provider[]): string[] {
  const titles = [...CALLERS.map(([, title]) => `${title} callers`), 'embeddings']
  return table(titles, providers, (provider) => {
    if (Object.keys(provider.endpoints).length === 0) return undefined
    const cells = CALLERS.map(([caller]) => {
      const options = resolveEndpoint(provider, caller)
      return options === undefined ? '–' : options.operation === caller ? 'native' : 'converted'
    })
    return [...cells, yesIf(resolveEndpoint(provider, 'embeddings'))]
  })
}

function mediaTable(providers: readonly Provider[]): string[] {
  const titles = MEDIA.map(([, title]) => title)
  return table(titles, providers, ({ endpoints }) => {
    const cells = MEDIA.map(([operation]) => yesIf(endpoints[operation]))
    return cells.includes('yes') ? cells : undefined
  })
}

/** The paths of asynchronous tasks, by platform. */
const PATHS: Readonly<Record<string, string>> = {
  mj: '`/mj/…`',
  suno: '`/suno/…`',
  video: '`/v1/videos`, `/v1/video/generations`, `/kling/v1/videos/…`, `/jimeng`',
}

function taskTable(providers: readonly Provider[]): string[] {
  return table(['paths'], providers, ({ tasks }) => tasks && [PATHS[tasks.platform] ?? ''])
}

function table(
  titles: readonly string[],
  providers: readonly Provider[],
  cellsOf: (provider: Provider) => readonly string[] | undefined,
): string[] {
  const rows = providers.flatMap((provider) => {
    const cells = cellsOf(provider)
    return cells === undefined ? [] : [lineOf([provider.type, provider.label, ...cells])]
  })
  const all = ['type', 'provider', ...titles]
  return [lineOf(all), `|${all.map(() => '---').join('|')}|`, ...rows]
}

function lineOf(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`
}

function yesIf(value: unknown): string {
  return value === undefined ? '–' : 'yes'
}
