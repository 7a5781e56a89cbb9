import { withoutTrailing } from '@tollgate/kit/without-trailing'
import type { ClaudeOptions } from '@tollgate/providers/claude-options'
import type { GeminiOptions } from '@tollgate/providers/gemini-options'
import { readHarmless, type MemberSettings } from './member-settings.ts'
import { type AffinityRule, affinityRules } from './affinity-rules.ts'
import type { OnSettingFault, SiteSettings } from './site-settings.ts'
import { type WordFilter, wordFilter } from './word-filter.ts'

type Site = Pick<SiteSettings, 'get'>

/**
 * The site settings that calls need, in the form the relay uses; built once for each change of the settings.
 */
export type RelaySettings = Readonly<ReturnType<typeof relaySettings>>

export function relaySettings(site: Site, onFault: OnSettingFault) {
  const isPinging = site.get('general_setting.ping_interval_enabled')
  const keepsTexts = site.get('LogConsumeEnabled') && site.get('LogChatContentEnabled')
  const autoGroups: readonly string[] = site.get('AutoGroups')
  return {
    retryTimes: site.get('RetryTimes'),
    preConsumedQuota: site.get('PreConsumedQuota'),
    holdMode: site.get('billing_setting.hold_mode'),
    /** In strict mode, a call that is too large for the balance is reduced to fit instead of refused. */
    isStrictFitting: site.get('billing_setting.strict_fits'),
    /** See the ledger's `OverdraftRule`. */
    overdraftFactor: BigInt(site.get('billing_setting.overdraft_factor')),
    isSelfUse: site.get('SelfUseModeEnabled'),
    isAutomaticDisable: site.get('AutomaticDisableChannelEnabled'),
    /** In lower case, for case-insensitive search. */
    automaticDisableKeywords: lowerCase(site.get('AutomaticDisableKeywords')),
    isConsumptionLogged: site.get('LogConsumeEnabled'),
    /** How many characters of a call's texts are kept beside the log; `undefined` keeps none. */
    keptCharactersMax: keepsTexts ? site.get('log_setting.chat_characters') : undefined,
    isUpstreamErrorHidden: site.get('global.hide_upstream_error_enabled'),
    isPassThrough: site.get('global.pass_through_request_enabled'),
    /** Milliseconds between keep-alive comments; `undefined` sends none. */
    pingIntervalMs: isPinging ? site.get('general_setting.ping_interval_seconds') * 1000 : undefined,
    isBrowserExtensionBlocked: site.get('global.block_browser_extension_enabled'),
    claude: claudeOptions(site),
    gemini: geminiOptions(site),
    /** Words that no prompt may contain; `undefined` searches for none. */
    refusedWords: refusedWords(site, onFault),
    /** The groups that tokens of group `auto` try, in this order. */
    autoGroups,
    /** How many calls a user may make; `undefined` sets no limit. */
    callLimits: callLimits(site),
    /** What the billing routes of OpenAI's old API report. */
    figures: billingFigures(site),
    /** Quota units for one unit of currency, for amounts that callers read. */
    quotaPerUnit: String(site.get('QuotaPerUnit')),
    /** Where callers find what a call cost. */
    costReport: site.get('billing_setting.report_cost'),
    /** What happens to request members that nobody knows. */
    members: memberSettings(site),
    tasks: taskSettings(site),
    /** How sessions stay on a channel and key; `undefined` where they do not. */
    affinity: affinitySettings(site, onFault),
    /** How many sockets a user may have open at a time, in each process. */
    sockets: {
      perUser: site.get('socket_setting.connections_per_user'),
      withoutBalance: site.get('socket_setting.connections_without_balance'),
    },
    /** Limits for connections of the Responses API over WebSocket. */
    responsesSocket: {
      connectionsMax: site.get('responses_socket_setting.connections_per_token'),
      idleMs: site.get('responses_socket_setting.idle_seconds') * 1000,
    },
  }
}

function memberSettings(site: Site): MemberSettings {
  return {
    unknownByGroup: new Map(
      site.get('member_setting.unknown_members').map(({ group, rule }) => [group, rule] as const),
    ),
    harmless: readHarmless(site.get('member_setting.harmless_members')),
  }
}

function lowerCase(texts: readonly string[]): readonly string[] {
  return texts.map((text) => text.toLowerCase())
}

function claudeOptions(site: Site): ClaudeOptions {
  return {
    outputTokens: site.get('claude.default_max_tokens'),
    headers: site.get('claude.model_headers_settings'),
    hasThinkingSuffix: site.get('claude.thinking_adapter_enabled'),
    thinkingShare: site.get('claude.thinking_adapter_budget_tokens_percentage'),
  }
}

function geminiOptions(site: Site): GeminiOptions {
  return {
    safety: Object.fromEntries(site.get('gemini.safety_settings')),
    versions: Object.fromEntries(site.get('gemini.version_settings')),
    drawingModels: site.get('gemini.supported_imagine_models'),
    hasThinkingSuffix: site.get('gemini.thinking_adapter_enabled'),
    thinkingShare: site.get('gemini.thinking_adapter_budget_tokens_percentage'),
    thinkingModels: site.get('gemini.models_supported_thinking_budget'),
  }
}

function refusedWords(site: Site, onFault: OnSettingFault): WordFilter | undefined {
  if (!site.get('CheckSensitiveEnabled') || !site.get('CheckSensitiveOnPromptEnabled')) return undefined
  return wordFilter(site.get('SensitiveWords'), (line) =>
    onFault('SensitiveWords', `${line} is not a regular expression`),
  )
}

interface CallLimits {
  readonly minutes: number
  readonly calls: number | undefined
  readonly successes: number
}

function callLimits(site: Site): CallLimits | undefined {
  const minutes = site.get('ModelRequestRateLimitDurationMinutes')
  if (!site.get('ModelRequestRateLimitEnabled') || minutes === 0) return undefined
  const calls = site.get('ModelRequestRateLimitCount') || undefined
  return { minutes, calls, successes: site.get('ModelRequestRateLimitSuccessCount') }
}

export interface AffinitySettings {
  /** How long a binding lasts without another call. */
  readonly lifetimeMs: number
  /** The same for upstreams that forget prompts after five minutes. */
  readonly shortMs: number
  /** A binding follows the channel that served; otherwise it stays until it ends. */
  readonly isMoved: boolean
  /** The most bindings in the memory of a process. */
  readonly entriesMax: number
  /** Tried before the session that the caller names. */
  readonly rules: readonly AffinityRule[]
}

function affinitySettings(site: Site, onFault: OnSettingFault): AffinitySettings | undefined {
  if (!site.get('channel_affinity_setting.enabled')) return undefined
  return {
    lifetimeMs: site.get('channel_affinity_setting.default_ttl_seconds') * 1000,
    shortMs: site.get('channel_affinity_setting.short_ttl_seconds') * 1000,
    isMoved: site.get('channel_affinity_setting.switch_on_success'),
    entriesMax: site.get('channel_affinity_setting.max_entries'),
    rules: affinityRules(site.get('channel_affinity_setting.rules'), (pattern) =>
      onFault('channel_affinity_setting.rules', `${pattern} is not a regular expression`),
    ),
  }
}

interface BillingFigures {
  /** Report the token's figures; otherwise its owner's. */
  readonly isTokenShown: boolean
  /** `undefined` reports figures in quota units. */
  readonly unitsPerCurrency: number | undefined
}

function billingFigures(site: Site): BillingFigures {
  return {
    isTokenShown: site.get('DisplayTokenStatEnabled'),
    unitsPerCurrency: site.get('DisplayInCurrencyEnabled') ? site.get('QuotaPerUnit') : undefined,
  }
}

export interface TaskSettings {
  /**
   * The public address of this site, for callers and for upstream callbacks; "" when the operator set none.
   */
  readonly serverAddress: string
  readonly passesNotices: boolean
  readonly passesAccountFilter: boolean
  readonly clearsModes: boolean
  readonly forwardsImages: boolean
  readonly followsOnlySuccess: boolean
}

function taskSettings(site: Site): TaskSettings {
  return {
    serverAddress: withoutTrailing(site.get('ServerAddress'), '/'),
    passesNotices: site.get('MjNotifyEnabled'),
    passesAccountFilter: site.get('MjAccountFilterEnabled'),
    clearsModes: site.get('MjModeClearEnabled'),
    forwardsImages: site.get('MjForwardUrlEnabled'),
    followsOnlySuccess: site.get('MjActionCheckSuccessEnabled'),
  }
}
