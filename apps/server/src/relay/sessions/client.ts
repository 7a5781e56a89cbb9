import type { ClientName } from '@tollgate/kit/codes'

/** The program that made a call, read from its `user-agent`. */
export interface Client {
  readonly name: ClientName
  /** "" where the header has none. */
  readonly version: string
}

const VERSION = String.raw`v?(\d[\w.+-]{0,31})`

/**
 * The beginnings of `user-agent` by which programs are known, as they send them; the first match decides. Agents
 * come before the SDKs that some of them are built on and also name.
 */
const PROGRAMS: readonly (readonly [name: ClientName, pattern: RegExp])[] = [
  ['claude-code', pattern('claude-(?:cli|code)')],
  ['codex', pattern(String.raw`codex[\w-]*`)],
  ['gemini-cli', pattern(String.raw`gemini-?cli(?:-[\w-]+)?`)],
  ['qwen-code', pattern('qwen-?code')],
  ['opencode', pattern('opencode(?:/[a-z]+)?')],
  ['cursor', pattern('cursor')],
  ['cline', pattern('cline')],
  ['openai-sdk', pattern(String.raw`(?:async)?(?:azure)?openai/(?:python|js|java|go|ruby|dotnet)`, ' ')],
  ['anthropic-sdk', pattern(String.raw`(?:async)?anthropic/(?:python|js|java|go|ruby|dotnet)`, ' ')],
  ['google-sdk', pattern('(?:google-genai-sdk|genai-js)')],
]

/** `separator` stands between name and version. */
function pattern(name: string, separator: '/' | ' ' = '/'): RegExp {
  return new RegExp(String.raw`(?:^|[\s(;])${name}(?:${separator}${VERSION})?(?![\w-])`, 'i')
}

const other: Client = { name: 'other', version: '' }

/** More is not read: programs name themselves at the beginning. */
const CHARACTERS_MAX = 256
const KNOWN_MAX = 1_000
const known = new Map<string, Client>()

/** Remembers what it read, because few programs make all calls. */
export function clientOf(userAgent: string | undefined): Client {
  if (userAgent === undefined) return other
  const text = userAgent.slice(0, CHARACTERS_MAX)
  const found = known.get(text)
  if (found !== undefined) return found
  const client = read(text)
  if (known.size >= KNOWN_MAX) known.clear()
  known.set(text, client)
  return client
}

function read(text: string): Client {
  for (const [name, program] of PROGRAMS) {
    const match = program.exec(text)
    if (match !== null) return { name, version: match[1] ?? '' }
  }
  return other
}
