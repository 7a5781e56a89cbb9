import type { MemberSource } from '../members/member-row.ts'

/**
 * What Claude takes at one host beside the members of the first version of Messages. Anthropic itself and relays
 * have no row: they get every beta, and their refusals teach.
 */
export interface ClaudeHost {
  /** The providers with these rules; absent where the address decides. */
  readonly providers?: readonly string[]
  readonly hostnames?: RegExp
  /** Each other beta costs the whole call. */
  readonly betas: ReadonlySet<string>
  /** Betas that the host knows under another name. */
  readonly renamed: Readonly<Record<string, string>>
  /** Members at the top that need a beta, and the beta. */
  readonly membersOfBetas: Readonly<Record<string, string>>
  /** Members of tools that need one of the betas; without betas they are always refused as extra inputs. */
  readonly toolMembers: Readonly<Record<string, readonly string[]>>
  /** Whether `output_config.effort` is taken for models that nobody knows to take efforts. */
  readonly takesAnyEffort: boolean
  /** Whether system turns may stand between the others. */
  readonly takesSystemTurns: boolean
  /** Whether a cache marker may have a scope. */
  readonly takesScopes: boolean
  readonly source: MemberSource
}

const CONTEXT_MANAGEMENT = 'context-management-2025-06-27'
const TOOL_SEARCH = 'tool-search-tool-2025-10-19'
const ADVANCED_TOOLS = 'advanced-tool-use-2025-11-20'
const membersOfBetas = { context_management: CONTEXT_MANAGEMENT }
/** How other gateways found out what each host takes; the vendors have no list of their own. */
const COLLECTED = {
  url: 'https://github.com/BerriAI/litellm/blob/030dd40a93c32960c90c2213d706a7b8a8614fb8/litellm/anthropic_beta_headers_config.json',
  date: '2026-11-30',
}

export const claudeHosts: readonly ClaudeHost[] = [
  {
    providers: ['bedrock'],
    betas: new Set([
      'compact-2026-01-12',
      'computer-use-2024-10-22',
      'computer-use-2025-01-24',
      'computer-use-2025-11-24',
      'context-1m-2025-08-07',
      CONTEXT_MANAGEMENT,
      'fine-grained-tool-streaming-2025-05-14',
      'interleaved-thinking-2025-05-14',
      'output-128k-2025-02-19',
      'thinking-binding-controls-2026-08-01',
      'token-efficient-tools-2025-02-19',
    ]),
    renamed: {},
    membersOfBetas,
    toolMembers: { eager_input_streaming: [], defer_loading: [], input_examples: [], strict: [] },
    takesAnyEffort: false,
    takesSystemTurns: false,
    takesScopes: false,
    source: {
      url: 'https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html',
      date: '2026-11-29',
    },
  },
  {
    providers: ['vertex'],
    betas: new Set([
      'compact-2026-01-12',
      'compact-2026-09-04',
      'computer-use-2025-01-24',
      'computer-use-2025-11-24',
      'context-1m-2025-08-07',
      CONTEXT_MANAGEMENT,
      'interleaved-thinking-2025-05-14',
      'per-turn-control-2026-07-01',
      'thinking-binding-controls-2026-08-01',
      'thinking-display-updates-2026-08-18',
      TOOL_SEARCH,
      'web-search-2025-03-05',
    ]),
    renamed: { [ADVANCED_TOOLS]: TOOL_SEARCH },
    membersOfBetas,
    toolMembers: { eager_input_streaming: [], defer_loading: [TOOL_SEARCH], input_examples: [], strict: [] },
    takesAnyEffort: false,
    takesSystemTurns: false,
    takesScopes: false,
    source: COLLECTED,
  },
  {
    hostnames: /(?:^|\.)(?:services\.ai|openai|cognitiveservices|inference\.ai)\.azure\.com$/,
    betas: new Set([
      ADVANCED_TOOLS,
      'code-execution-2025-08-25',
      'computer-use-2025-01-24',
      'computer-use-2025-11-24',
      'context-1m-2025-08-07',
      CONTEXT_MANAGEMENT,
      'effort-2025-11-24',
      'files-api-2025-04-14',
      'interleaved-thinking-2025-05-14',
      'mcp-client-2025-04-04',
      'mcp-client-2025-11-20',
      'per-turn-control-2026-07-01',
      'prompt-caching-scope-2026-01-05',
      'skills-2025-10-02',
      'structured-outputs-2025-11-13',
      'thinking-display-updates-2026-08-18',
      'web-fetch-2025-09-10',
      'web-search-2025-03-05',
    ]),
    renamed: {},
    membersOfBetas,
    toolMembers: {
      eager_input_streaming: [],
      defer_loading: [ADVANCED_TOOLS],
      input_examples: [ADVANCED_TOOLS],
    },
    takesAnyEffort: true,
    takesSystemTurns: false,
    takesScopes: true,
    source: COLLECTED,
  },
]

/** For a host that refused a beta without saying which: the betas that every host with a row takes. */
export const cautiousClaudeHost: ClaudeHost = {
  betas: new Set(
    [...(claudeHosts[0]?.betas ?? [])].filter((beta) => claudeHosts.every(({ betas }) => betas.has(beta))),
  ),
  renamed: {},
  membersOfBetas,
  toolMembers: { defer_loading: [], input_examples: [] },
  takesAnyEffort: true,
  takesSystemTurns: true,
  takesScopes: false,
  source: COLLECTED,
}

/** Betas that a row names. A refusal of any other one says nothing about the host: its name came from the caller. */
export function isListedBeta(beta: string): boolean {
  return ANTHROPIC_BETAS.has(beta) || claudeHosts.some(({ betas }) => betas.has(beta))
}

/** Sent by Claude Code and by Anthropic's libraries, and taken by no other host. */
const ANTHROPIC_BETAS = new Set([
  'advisor-tool-2026-03-01',
  'cache-diagnosis-2026-04-07',
  'claude-code-20250219',
  'extended-cache-ttl-2025-04-11',
  'fast-mode-2026-02-01',
  'mid-conversation-system-2026-04-07',
  'oauth-2025-04-20',
  'prompt-caching-2024-07-31',
  'redact-thinking-2026-02-12',
  'thinking-token-count-2026-05-13',
])

export function findClaudeHost(provider: string, address: string): ClaudeHost | undefined {
  const hostname = URL.canParse(address) ? new URL(address).hostname : ''
  return claudeHosts.find(
    ({ providers, hostnames }) => providers?.includes(provider) ?? hostnames?.test(hostname) ?? false,
  )
}
