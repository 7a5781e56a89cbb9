import { isRecord } from '@tollgate/dialects/json'
import type { SystemPrompt } from '@tollgate/dialects/system-prompt'
import type { TraitsOf } from '@tollgate/dialects/traits/lookup'
import { traitsWith } from '@tollgate/dialects/traits/override'

/**
 * The members of a channel's stored JSON settings that the gateway knows, by their stored names. The values
 * are unchecked: an import or an older release may have left anything. Only this file, the
 * reader of cost ratios, the checks of what an administrator writes and the masks of secrets read these names;
 * everything else reads `ChannelSettings`.
 */
export interface StoredChannelSettings {
  readonly proxy?: unknown
  readonly pass_through_body_enabled?: unknown
  readonly system_prompt?: unknown
  readonly system_prompt_override?: unknown
  readonly stream_support?: unknown
  readonly thinking_to_content?: unknown
  readonly force_format?: unknown
  readonly upstream_model_name?: unknown
  readonly server_tools?: unknown
  readonly stored_context?: unknown
  readonly model_traits?: unknown
  readonly cost_ratio?: unknown
  readonly cost_ratios?: unknown
  readonly advanced_routes?: unknown
  readonly azure_responses_version?: unknown
  readonly claude_beta_query?: unknown
  readonly allow_service_tier?: unknown
  readonly allow_inference_geo?: unknown
  readonly allow_speed?: unknown
  readonly allow_safety_identifier?: unknown
  readonly disable_store?: unknown
  readonly affinity_seconds?: unknown
  readonly responses_websocket?: unknown
  readonly trace_context?: unknown
  readonly other_models?: unknown
  readonly charge_served?: unknown
  readonly resend_closed?: unknown
  readonly keep_reasoning?: unknown
  readonly account?: unknown
  readonly key_accounts?: unknown
}

/** A channel's settings as its readers use them: every member has a value, a default where none is stored. */
export interface ChannelSettings {
  /**
   * The address as it was entered; `proxyAddress` checks it before each use. A stored value that is not text
   * is kept as JSON, which is no address, so that no call bypasses a proxy that cannot be read.
   */
  readonly proxy: string | undefined
  /** The request body is sent unchanged. */
  readonly passesBody: boolean
  readonly systemPrompt: SystemPrompt | undefined
  /** False for upstreams that return only whole responses. */
  readonly canStream: boolean
  /** True for upstreams that refuse requests for whole responses; their streams are collected. */
  readonly canOnlyStream: boolean
  /** Reasoning is written into the text of the response. */
  readonly thinkingToContent: boolean
  /** Responses are rewritten into the exact form of OpenAI. */
  readonly forceFormat: boolean
  /** Answers to a mapped model carry the upstream's name of it, not the one that was asked for. */
  readonly showsUpstreamModel: boolean
  /** Whether calls may request tools that the upstream itself runs: web search, fetch, code execution. */
  readonly allowsServerTools: boolean
  /** Whether calls may refer to content stored at the upstream, and to MCP servers of their own choice. */
  readonly allowsStoredContext: boolean
  /**
   * Whether calls may continue from responses, conversations and prompts stored at the upstream, no matter
   * which caller created them.
   */
  readonly allowsKeptResponses: boolean
  /** Traits of the channel's models: the built-in table, overridden by `model_traits`. */
  readonly traitsOf: TraitsOf
  /** Rows of the operator's route table, unchecked; `readRoutes` reads them. */
  readonly routeTable: readonly Readonly<Record<string, unknown>>[]
  /** API version of Azure's Responses endpoint, where the operator sets one. */
  readonly azureResponsesVersion: string | undefined
  /** Calls to Claude carry `?beta=true`. */
  readonly hasClaudeBetaQuery: boolean
  // The request members of these switches change what the upstream charges; they are off by default.
  readonly allowsServiceTier: boolean
  readonly allowsInferenceGeo: boolean
  readonly allowsSpeed: boolean
  // The request members of these switches change what the upstream stores or learns; they are on by default.
  readonly allowsSafetyIdentifier: boolean
  readonly allowsStore: boolean
  /**
   * How long a session stays on the channel and key that served it, without another call; 0 keeps none, and
   * `undefined` is what the site has set.
   */
  readonly affinitySeconds: number | undefined
  /** Calls over the Responses WebSocket reach the vendor over a WebSocket too. */
  readonly passesSockets: boolean
  /** Whether calls may name further models that the vendor uses beside the requested one. */
  readonly allowsOtherModels: boolean
  /** The upstream gets the trace of a call in the header `traceparent`. */
  readonly sendsTraceContext: boolean
  /**
   * A model that the upstream served instead of the requested one is charged at its own price if that is
   * cheaper.
   */
  readonly chargesServedIfCheaper: boolean
  /**
   * A request is also sent once more if its reused connection was closed up to 250 ms after it was written. The
   * vendor may have begun with it, so work may run twice.
   */
  readonly resendsClosed: boolean
  /** Reasoning that the vendor demands back is kept for clients that do not send it, in memory and for two hours. */
  readonly keepsReasoning: boolean
  /**
   * The operator's label of the account behind the keys. Channels and keys with the same label can read what each
   * other's upstream sealed.
   */
  readonly account: string | undefined
  /** Labels of single keys, by the first 12 characters of their hashes. */
  readonly keyAccounts: ReadonlyMap<string, string>
}

/** Reads a channel's stored settings. Never throws: a value that cannot be used counts as not set. */
export function readChannelSettings(stored: StoredChannelSettings): ChannelSettings {
  const { stored_context: storedContext, advanced_routes: table } = stored
  return {
    proxy: readProxy(stored.proxy),
    passesBody: stored.pass_through_body_enabled === true,
    systemPrompt: readPrompt(stored),
    canStream: !isSupport(stored.stream_support, 'NON_STREAM_ONLY'),
    canOnlyStream: isSupport(stored.stream_support, 'STREAM_ONLY'),
    thinkingToContent: stored.thinking_to_content === true,
    forceFormat: stored.force_format === true,
    showsUpstreamModel: stored.upstream_model_name === true,
    allowsServerTools: stored.server_tools !== false,
    // `as_before` keeps what channels allowed before the setting existed: stored context of every kind except
    // continuing from stored responses.
    allowsStoredContext: storedContext === true || storedContext === 'as_before',
    allowsKeptResponses: storedContext === true,
    traitsOf: traitsWith(stored.model_traits),
    routeTable: Array.isArray(table) ? table.filter(isRecord) : [],
    azureResponsesVersion: readText(stored.azure_responses_version),
    hasClaudeBetaQuery: stored.claude_beta_query === true,
    allowsServiceTier: stored.allow_service_tier === true,
    allowsInferenceGeo: stored.allow_inference_geo === true,
    allowsSpeed: stored.allow_speed === true,
    allowsSafetyIdentifier: stored.allow_safety_identifier !== false,
    allowsStore: stored.disable_store !== true,
    affinitySeconds: isAffinitySeconds(stored.affinity_seconds) ? stored.affinity_seconds : undefined,
    passesSockets: stored.responses_websocket === true,
    allowsOtherModels: stored.other_models !== 'never',
    sendsTraceContext: stored.trace_context === true,
    chargesServedIfCheaper: stored.charge_served === true,
    resendsClosed: stored.resend_closed === true,
    keepsReasoning: stored.keep_reasoning !== false,
    account: isAccountLabel(stored.account) ? stored.account : undefined,
    keyAccounts: readKeyAccounts(stored.key_accounts),
  }
}

/** The settings of a channel that stores none. */
export const defaultChannelSettings = readChannelSettings({})

export const ACCOUNT_CHARACTERS_MAX = 64

/** The label of an account: a short text in one line. */
export function isAccountLabel(value: unknown): value is string {
  return typeof value === 'string' && /^[^\p{Cc}]{1,64}$/u.test(value)
}

/** The first characters of a key's hash, which identify it within its channel. */
const TAG_CHARACTERS = 12

function readKeyAccounts(byKey: unknown): ReadonlyMap<string, string> {
  const entries = isRecord(byKey) ? Object.entries(byKey) : []
  return new Map(
    entries.flatMap(([hash, label]) =>
      isAccountLabel(label) ? [[hash.slice(0, TAG_CHARACTERS), label]] : [],
    ),
  )
}

export const AFFINITY_SECONDS_MAX = 86_400

export function isAffinitySeconds(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= AFFINITY_SECONDS_MAX
}

function readProxy(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function readPrompt({ system_prompt: text, ...stored }: StoredChannelSettings): SystemPrompt | undefined {
  if (typeof text !== 'string') return undefined
  return { text, goesFirst: stored.system_prompt_override === true }
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function isSupport(support: unknown, expected: 'NON_STREAM_ONLY' | 'STREAM_ONLY'): boolean {
  return typeof support === 'string' && support.toUpperCase() === expected
}
