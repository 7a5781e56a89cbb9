import type { ClientName } from '@tollgate/kit/codes'

/** The program that made a call, read from its `user-agent`. */
export interface Client {
  readonly name: ClientName
  /** "" where the header has none. */
  readonly version: string
}

/**
 * The beginnings of `user-agent` by which programs are known, as they send them; the first match decides. Agents
 * come before the SDKs that some of them are built on and also name.
 */
const PROGRAMS: readonly (readonly [name: ClientName, pattern: RegExp])[] = [
  ['claude-code', /(?:^|[\s(;])claude-(?:cli|code)(?:\/v?(\d[\w.+-]{0,31}))?(?![\w-])/i],
  ['codex', /(?:^|[\s(;])codex[\w-]{0,32}(?:\/v?(\d[\w.+-]{0,31}))?(?![\w-])/i],
  ['gemini-cli', /(?:^|[\s(;])gemini-?cli(?:-[\w-]{1,32})?(?:\/v?(\d[\w.+-]{0,31}))?(?![\w-])/i],
  ['qwen-code', /(?:^|[\s(;])qwen-?code(?:\/v?(\d[\w.+-]{0,31}))?(?![\w-])/i],
  ['opencode', /(?:^|[\s(;])opencode(?:\/[a-z]{1,32})?(?:\/v?(\d[\w.+-]{0,31}))?(?![\w-])/i],
  ['cursor', /(?:^|[\s(;])cursor(?:\/v?(\d[\w.+-]{0,31}))?(?![\w-])/i],
  ['cline', /(?:^|[\s(;])cline(?:\/v?(\d[\w.+-]{0,31}))?(?![\w-])/i],
  [
    'openai-sdk',
    /(?:^|[\s(;])(?:async)?(?:azure)?openai\/(?:python|js|java|go|ruby|dotnet)(?: v?(\d[\w.+-]{0,31}))?(?![\w-])/i,
  ],
  [
    'anthropic-sdk',
    /(?:^|[\s(;])(?:async)?anthropic\/(?:python|js|java|go|ruby|dotnet)(?: v?(\d[\w.+-]{0,31}))?(?![\w-])/i,
  ],
  ['google-sdk', /(?:^|[\s(;])(?:google-genai-sdk|genai-js)(?:\/v?(\d[\w.+-]{0,31}))?(?![\w-])/i],
]

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
