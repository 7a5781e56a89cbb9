import { z } from 'zod'
import { columns, contextTiers, json, nestedRatios, ratios, textMap } from './json-kinds.ts'
import { choice, integer, toggle } from './kinds.ts'

/** Each is priced and counted before a call: a list is for choosing, not for everything. */
const AUTO_GROUPS_MAX = 10
const OVERDRAFT_FACTOR_MAX = 1_000
const GROUPS = { default: 1, vip: 1, svip: 1 }

/** What a call costs. A map without a default here has the built-in price table as default. */
export const pricingOptions = {
  ModelRatio: ratios(undefined, {
    section: 'pricing',
    en: 'Model to input ratio; ratio 1 is one unit of quota for one input token. Videos of Seedance with a ratio are charged by the tokens that their upstream counts.',
    zh: '模型倍率：倍率 1 表示每个输入 token 消耗 1 单位额度。设置倍率的 Seedance 视频按上游统计的 token 计费。',
  }),
  ModelPrice: ratios(undefined, {
    section: 'pricing',
    en: 'Model to price of one call in currency, of a video for each second; wins over the ratio. Videos may have prices of their own by their qualities, in any order: viduq1@1080p, kling-v2-6@pro+audio. The price with most of them that fit counts, else that of the model.',
    zh: '模型固定价格（每次调用；视频为每秒价格），优先于倍率。视频可按规格单独定价，顺序不限：viduq1@1080p、kling-v2-6@pro+audio。取匹配规格最多的价格，都不匹配时按模型价格。',
  }),
  CompletionRatio: ratios(undefined, {
    section: 'pricing',
    en: 'Model to output ratio, relative to the input.',
    zh: '补全倍率，相对于输入。',
  }),
  CacheRatio: ratios(undefined, {
    section: 'pricing',
    en: 'Model to ratio of cached input, relative to the input.',
    zh: '缓存命中倍率，相对于输入。',
  }),
  CreateCacheRatio: ratios(undefined, {
    section: 'pricing',
    en: 'Model to ratio of input written to a cache, relative to the input.',
    zh: '缓存写入倍率，相对于输入。',
  }),
  CreateCache1hRatio: ratios(undefined, {
    section: 'pricing',
    en: 'Model to ratio of input written to a cache for an hour, relative to the input. Without an entry: 1.6 times that of five minutes.',
    zh: '写入一小时缓存的倍率，相对于输入；未设置时为五分钟缓存写入倍率的 1.6 倍。',
  }),
  ImageRatio: ratios(undefined, {
    section: 'pricing',
    en: 'Model to ratio of image input, relative to the input.',
    zh: '图片输入倍率，相对于输入。',
  }),
  AudioRatio: ratios(undefined, {
    section: 'pricing',
    en: 'Model to ratio of audio input, relative to the input.',
    zh: '音频输入倍率，相对于输入。',
  }),
  AudioCompletionRatio: ratios(undefined, {
    section: 'pricing',
    en: 'Model to ratio of audio output, relative to the audio input.',
    zh: '音频输出倍率，相对于音频输入。',
  }),
  ToolPrices: ratios(undefined, {
    section: 'pricing',
    columns: [
      { en: 'Tool', zh: '工具' },
      { en: '$ per 1,000 calls', zh: '每千次价格（美元）' },
    ],
    en: 'Tool, tool:model or tool:model-prefix*, to price of 1,000 calls in currency; 0 switches a price off.',
    zh: '工具（或 工具:模型、工具:模型前缀*）每千次调用的价格，0 表示不收费。',
  }),
  ServiceTierRatio: ratios(undefined, {
    section: 'pricing',
    columns: [{ en: 'Service tier', zh: '服务等级' }, columns.ratio],
    en: 'Service tier, tier:model or tier:model-prefix*, to factor on the price of what was answered in it; 0 switches it off. geo-us: Claude, where the answer had to be made in the United States.',
    zh: '服务等级（或 等级:模型、等级:模型前缀*）的价格倍率，按应答所用等级计费，0 表示不启用。geo-us：限定在美国推理的 Claude 应答。',
  }),
  ContextTierRatio: contextTiers({
    section: 'pricing',
    en: 'Model, or model-prefix*, to factors on the price of every token of a call with more input than this, caches and media included. A cache without a factor follows the input.',
    zh: '模型（或 模型前缀*）的长上下文价格：输入 token（含缓存与媒体）超过该数量时，整个请求按这些倍率计费；缓存未填写时与输入相同。',
  }),
  GroupRatio: ratios(GROUPS, {
    section: 'pricing',
    columns: [columns.group, columns.ratio],
    en: 'Group to price factor; a group exists when it is named here.',
    zh: '分组倍率；此处列出的分组才存在。',
  }),
  GroupGroupRatio: nestedRatios({
    section: 'pricing',
    en: "User's group to used group to price factor, instead of the group ratio.",
    zh: '用户分组到使用分组的倍率，优先于分组倍率。',
  }),
  UserUsableGroups: textMap(
    { default: '默认分组', vip: 'vip分组' },
    {
      section: 'pricing',
      columns: [columns.group, columns.description],
      en: 'Groups every user may choose, with a description.',
      zh: '用户可选分组及其说明。',
    },
  ),
  AutoGroups: json(z.array(z.string().trim().min(1).max(64)).max(AUTO_GROUPS_MAX), [], {
    section: 'pricing',
    rows: { shape: 'names', columns: [columns.group] },
    allowed: {
      en: `a JSON list of up to ${AUTO_GROUPS_MAX} groups`,
      zh: `最多 ${AUTO_GROUPS_MAX} 个分组的 JSON 列表`,
    },
    en: 'Groups that a token of group auto tries, in this order; those that its owner may not use are passed over. The group that serves a call sets its price.',
    zh: 'auto 分组的令牌按此顺序尝试的分组；令牌所有者无权使用的分组会被跳过，费用按实际提供服务的分组倍率计算。',
  }),
  'billing_setting.hold_mode': choice(['metered', 'strict', 'lenient'], {
    section: 'pricing',
    en: 'metered: hold an estimate and end a stream the balance cannot pay. strict: hold the largest price. lenient: let a stream finish and book a debt. Accounts that have never paid are always strict, with calls made to fit.',
    zh: 'metered：按估算预扣，余额不足时结束流；strict：按最高价预扣；lenient：允许流完成并记为欠款。从未付费的账户始终按 strict 预扣，并按余额缩减调用。',
  }),
  'billing_setting.overdraft_factor': integer(
    2,
    { min: 1, max: OVERDRAFT_FACTOR_MAX },
    {
      section: 'pricing',
      en: 'How much the calls of one user in flight may cost beyond what is held for them, as a multiple of the balance that remains. Further calls are refused until one has ended. A call that is alone in flight gets a lower output limit instead. With 1, many calls at once leave no debt.',
      zh: '同一用户进行中的请求，最高可能超出预扣的费用总和不得超过剩余余额的该倍数，超出的请求须等待其中一个结束。单独进行的请求不会因此被拒绝，而是降低其输出上限。1 表示并发请求不会产生欠款。',
    },
  ),
  'billing_setting.strict_fits': toggle(false, {
    section: 'pricing',
    en: 'strict: a call that the balance cannot pay whole, but its input, is sent with a lower limit of output.',
    zh: 'strict：余额不足以支付最高价但足以支付输入时，降低输出上限后发送。',
  }),
}
