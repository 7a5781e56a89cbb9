import type { FamilySource, LossWeight } from './column.ts'
import { sources } from './sources.ts'

/** A setting of the family that this version does not have. */
export interface FamilyOption {
  readonly key: string
  /** The value that the source uses when none is stored. */
  readonly default: string
  /** Undefined: looks, names and the like. */
  readonly weight: LossWeight | undefined
  readonly consequence: string
  readonly source: FamilySource
}

type OptionRow = readonly [key: string, fallback: string, weight?: LossWeight, consequence?: string]

function defineOptions(source: FamilySource, rows: readonly OptionRow[]): readonly FamilyOption[] {
  return rows.map(([key, fallback, weight, consequence = '']) => ({
    key,
    default: fallback,
    weight,
    consequence,
    source,
  }))
}

const NO_GATEWAY = 'people cannot pay through it here'

export const familyOptions: readonly FamilyOption[] = [
  ...defineOptions(sources.options, [
    [
      'AutomaticDisableStatusCodes',
      '401',
      'ends',
      'channels are switched off by the rules of this version instead',
    ],
    ['AutomaticRetryStatusCodes', '100-199,300-399,401-407,409-499,500-503,505-523,525-599'],
    ['ChatLink', ''],
    ['ChatLink2', ''],
    ['CreemApiKey', '', 'pays', NO_GATEWAY],
    ['CreemWebhookSecret', ''],
    ['CreemTestMode', 'false'],
    ['CreemProducts', '[]', 'pays', NO_GATEWAY],
    ['StripeApiSecret', '', 'pays', NO_GATEWAY],
    ['StripeWebhookSecret', ''],
    ['StripePriceId', '', 'pays', NO_GATEWAY],
    ['StripeUnitPrice', '8'],
    ['StripeMinTopUp', '1'],
    ['StripePromotionCodesEnabled', 'false'],
    ['WaffoEnabled', 'false', 'pays', NO_GATEWAY],
    ['DefaultUseAutoGroup', 'false', 'prices', 'new tokens get the group of their owner, not “auto”'],
    ['ExposeRatioEnabled', 'false'],
    ['HeaderNavModules', ''],
    ['SidebarModulesAdmin', ''],
    ['MaxTokenAutoGroups', '5', 'limits', 'a token may have up to 5 groups in its order'],
    ['ModelRequestRateLimitGroup', '{}', 'limits', 'every group has the two limits of the site'],
    ['PayMethods', '', 'pays', 'the wallet offers Alipay and WeChat Pay'],
    ['SMTPForceAuthLogin', 'false'],
    ['SMTPInsecureSkipVerify', 'false'],
    ['SMTPStartTLSEnabled', 'false'],
    ['USDExchangeRate', '7.3'],
    ['WorkerAllowHttpImageRequestEnabled', 'false'],
    [
      'billing_setting.minimum_charge',
      '{}',
      'prices',
      'calls of these models cost what they use, without a minimum',
    ],
    [
      'billing_setting.plugin_billing_expr',
      '{}',
      'prices',
      'tasks of these plugins have no price of their own here',
    ],
    ['channel_affinity_setting.keep_on_channel_disabled', 'false'],
    ['console_setting.api_info', ''],
    ['console_setting.announcements', ''],
    ['console_setting.faq', ''],
    ['console_setting.uptime_kuma_groups', ''],
    ['console_setting.api_info_enabled', 'true'],
    ['console_setting.announcements_enabled', 'true'],
    ['console_setting.faq_enabled', 'true'],
    ['console_setting.uptime_kuma_enabled', 'true'],
    ['discord.enabled', 'false', 'protects', 'nobody can sign in with Discord here'],
    ['discord.client_id', ''],
    ['discord.client_secret', ''],
    ['fetch_setting.enable_ssrf_protection', 'true'],
    [
      'fetch_setting.allow_private_ip',
      'false',
      'protects',
      'addresses of private networks are refused unless EGRESS_ALLOW names them',
    ],
    ['fetch_setting.domain_filter_mode', 'false', 'protects', 'set EGRESS_ALLOW and EGRESS_BLOCK instead'],
    ['fetch_setting.ip_filter_mode', 'false', 'protects', 'set EGRESS_ALLOW and EGRESS_BLOCK instead'],
    ['fetch_setting.domain_list', '[]', 'protects', 'set EGRESS_ALLOW and EGRESS_BLOCK instead'],
    ['fetch_setting.ip_list', '[]', 'protects', 'set EGRESS_ALLOW and EGRESS_BLOCK instead'],
    [
      'fetch_setting.allowed_ports',
      '["80","443","8080","8443"]',
      'protects',
      'ports are not restricted here',
    ],
    ['fetch_setting.apply_ip_filter_for_domain', 'true'],
    ['gemini.function_call_thought_signature_enabled', 'true'],
    ['gemini.remove_function_response_id_enabled', 'true'],
    ['general_setting.quota_display_type', 'USD'],
    ['general_setting.custom_currency_symbol', '¤'],
    ['general_setting.custom_currency_exchange_rate', '1'],
    ['global.chat_completions_to_responses_policy', ''],
    ['global.thinking_model_blacklist', ''],
    [
      'grok.violation_deduction_enabled',
      'true',
      'prices',
      'the fee of xAI for refused requests is not charged to callers here',
    ],
    [
      'grok.violation_deduction_amount',
      '0.05',
      'prices',
      'the fee of xAI for refused requests is not charged here',
    ],
    [
      'group_ratio_setting.group_special_usable_group',
      '{}',
      'limits',
      'every user may use the public groups and the own one, and no others',
    ],
    ['legal.user_agreement', ''],
    ['legal.privacy_policy', ''],
    [
      'monitor_setting.auto_test_channel_enabled',
      'false',
      'ends',
      'channels are tested on a schedule only with CHANNEL_TEST_FREQUENCY',
    ],
    ['monitor_setting.auto_test_channel_minutes', '10'],
    ['monitor_setting.channel_test_mode', 'scheduled_all'],
    ['oidc.display_name', ''],
    ['passkey.enabled', 'false', 'protects', 'nobody can sign in with a passkey here'],
    ['passkey.rp_display_name', ''],
    ['passkey.rp_id', ''],
    ['passkey.origins', ''],
    ['passkey.allow_insecure_origin', 'false'],
    ['passkey.user_verification', 'preferred'],
    ['passkey.attachment_preference', ''],
    ['payment_setting.amount_options', '[10,20,50,100,200,500]'],
    [
      'payment_setting.amount_discount',
      '{}',
      'pays',
      'there are no discounts by amount here: people pay the full price',
    ],
    ['payment_setting.compliance_confirmed', 'false'],
    ['payment_setting.compliance_terms_version', ''],
    ['payment_setting.compliance_confirmed_at', ''],
    ['payment_setting.compliance_confirmed_by', ''],
    ['payment_setting.compliance_confirmed_ip', ''],
    ['perf_metrics_setting.enabled', 'true'],
    ['perf_metrics_setting.flush_interval', '5'],
    ['perf_metrics_setting.bucket_time', 'hour'],
    ['perf_metrics_setting.retention_days', '0'],
    ['quota_setting.enable_free_model_pre_consume', 'true', 'limits', 'free models need no balance here'],
    ['qwen.sync_image_models', ''],
    ['token_setting.max_user_tokens', '1000', 'limits', 'the number of tokens of a user is not limited here'],
    ['model_deployment.ionet.enabled', 'false'],
    ['model_deployment.ionet.api_key', ''],
    ['PasswordLoginEncryptionEnabled', 'false'],
    [
      'LegacyAccessTokenRetireAt',
      '0',
      'ends',
      'old access tokens do not end on that day here: remove them by hand',
    ],
    ['theme.frontend', ''],
    ['theme', 'default'],
  ]),
  ...defineOptions(sources.oneApi, [
    ['Theme', 'default'],
    ['MessagePusherAddress', ''],
    ['MessagePusherToken', ''],
    ['LarkClientId', '', 'protects', 'nobody can sign in with Lark here'],
    ['LarkClientSecret', ''],
    ['ApproximateTokenEnabled', 'false'],
  ]),
]

const byKey = new Map(familyOptions.map((option) => [option.key, option]))

export function findFamilyOption(key: string): FamilyOption | undefined {
  return byKey.get(key)
}

/** Settings of new-api that have another name here and the same form. */
export const optionAliases: Readonly<Record<string, string>> = {
  'checkin_setting.enabled': 'CheckInEnabled',
  'checkin_setting.min_quota': 'CheckInQuota',
  'checkin_setting.max_quota': 'CheckInMaxQuota',
  'group_ratio_setting.group_ratio': 'GroupRatio',
  'group_ratio_setting.group_group_ratio': 'GroupGroupRatio',
  'tool_price_setting.prices': 'ToolPrices',
}
