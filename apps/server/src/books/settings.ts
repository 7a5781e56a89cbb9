import { withoutTrailing } from '@tollgate/kit/without-trailing'
import { defaultPriceOptions } from '@tollgate/billing/defaults'
import { priceOptionKeys, type PriceOptionKey } from '@tollgate/billing/price-options'
import { optionDefinition, parseOption, type OptionKey, type OptionValue } from '@tollgate/contract/options'
import { invariant } from '@tollgate/kit/invariant'
import type { Settings } from './books.ts'
import { wordFilter } from './word-filter.ts'

/** Stored option texts by key; a key without a row has its default. */
export type OptionTexts = ReadonlyMap<string, string>

/** Told of a stored text that no release of ours would have stored; its default is used. */
export type OnUnreadable = (key: string) => void

/** Typed values of the options the relay goes by. */
export function settingsOf(texts: OptionTexts, onUnreadable: OnUnreadable): Settings {
  const get = <Key extends OptionKey>(key: Key) => optionValue(texts, key, onUnreadable)
  const filters = get('CheckSensitiveEnabled') && get('CheckSensitiveOnPromptEnabled')
  const keepsTexts = get('LogConsumeEnabled') && get('LogChatContentEnabled')
  const isPinging = get('general_setting.ping_interval_enabled')
  return {
    retryTimes: get('RetryTimes'),
    preConsumedQuota: get('PreConsumedQuota'),
    holdMode: get('billing_setting.hold_mode'),
    isStrictFitting: get('billing_setting.strict_fits'),
    overdraftFactor: BigInt(get('billing_setting.overdraft_factor')),
    isSelfUse: get('SelfUseModeEnabled'),
    isAutomaticDisable: get('AutomaticDisableChannelEnabled'),
    automaticDisableKeywords: get('AutomaticDisableKeywords').map((keyword) => keyword.toLowerCase()),
    isConsumptionLogged: get('LogConsumeEnabled'),
    keptCharactersMax: keepsTexts ? get('log_setting.chat_characters') : undefined,
    isUpstreamErrorHidden: get('global.hide_upstream_error_enabled'),
    isPassThrough: get('global.pass_through_request_enabled'),
    pingIntervalMs: isPinging ? get('general_setting.ping_interval_seconds') * 1000 : undefined,
    isBrowserExtensionBlocked: get('global.block_browser_extension_enabled'),
    tasks: {
      serverAddress: withoutTrailing(get('ServerAddress'), '/'),
      passesNotices: get('MjNotifyEnabled'),
      passesAccountFilter: get('MjAccountFilterEnabled'),
      clearsModes: get('MjModeClearEnabled'),
      forwardsImages: get('MjForwardUrlEnabled'),
      followsOnlySuccess: get('MjActionCheckSuccessEnabled'),
    },
    claude: {
      outputTokens: get('claude.default_max_tokens'),
      headers: get('claude.model_headers_settings'),
      hasThinkingSuffix: get('claude.thinking_adapter_enabled'),
      thinkingShare: get('claude.thinking_adapter_budget_tokens_percentage'),
    },
    gemini: {
      safety: Object.fromEntries(get('gemini.safety_settings')),
      versions: Object.fromEntries(get('gemini.version_settings')),
      drawingModels: get('gemini.supported_imagine_models'),
      hasThinkingSuffix: get('gemini.thinking_adapter_enabled'),
      thinkingShare: get('gemini.thinking_adapter_budget_tokens_percentage'),
      thinkingModels: get('gemini.models_supported_thinking_budget'),
    },
    refusedWords: filters
      ? wordFilter(get('SensitiveWords'), () => onUnreadable('SensitiveWords'))
      : undefined,
    autoGroups: get('AutoGroups'),
    callLimits:
      get('ModelRequestRateLimitEnabled') && get('ModelRequestRateLimitDurationMinutes') > 0
        ? {
            minutes: get('ModelRequestRateLimitDurationMinutes'),
            calls: get('ModelRequestRateLimitCount') || undefined,
            successes: get('ModelRequestRateLimitSuccessCount'),
          }
        : undefined,
    figures: {
      isTokenShown: get('DisplayTokenStatEnabled'),
      unitsPerCurrency: get('DisplayInCurrencyEnabled') ? get('QuotaPerUnit') : undefined,
    },
  }
}

function optionValue<Key extends OptionKey>(
  texts: OptionTexts,
  key: Key,
  onUnreadable: OnUnreadable,
): OptionValue<Key> {
  const stored = texts.get(key)
  const parsed = stored === undefined ? undefined : parseOption(key, stored)
  if (parsed?.type === 'accepted') return parsed.value
  if (parsed) onUnreadable(key)
  const byDefault = parseOption(key, optionDefinition(key).default ?? '')
  invariant(byDefault.type === 'accepted', 'the default of an option is acceptable')
  return byDefault.value
}

/** The texts a price book is made of, complete. */
export function priceTexts(texts: OptionTexts): Record<PriceOptionKey, string> {
  const complete = { ...defaultPriceOptions }
  for (const key of priceOptionKeys) complete[key] = texts.get(key) ?? complete[key]
  return complete
}
