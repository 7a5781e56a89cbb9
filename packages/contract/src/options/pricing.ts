import { nestedRatios, ratios, textMap } from './json-kinds.ts'
import { choice, toggle } from './kinds.ts'

const GROUPS = { default: 1, vip: 1, svip: 1 }

/** What a call costs. A map without a default here has the built-in price table as default. */
export const pricingOptions = {
  ModelRatio: ratios(undefined, {
    section: 'pricing',
    en: 'Model to input ratio; ratio 1 is one unit of quota for one input token.',
    zh: '模型倍率：倍率 1 表示每个输入 token 消耗 1 单位额度。',
  }),
  ModelPrice: ratios(undefined, {
    section: 'pricing',
    en: 'Model to price of one call in currency; wins over the ratio.',
    zh: '模型固定价格（每次调用），优先于倍率。',
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
    en: 'Tool, or tool:model-prefix*, to price of 1,000 calls in currency; 0 switches a price off.',
    zh: '工具（或 工具:模型前缀*）每千次调用的价格，0 表示不收费。',
  }),
  GroupRatio: ratios(GROUPS, {
    section: 'pricing',
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
      en: 'Groups every user may choose, with a description.',
      zh: '用户可选分组及其说明。',
    },
  ),
  'billing_setting.hold_mode': choice(['metered', 'strict', 'lenient'], {
    section: 'pricing',
    en: 'metered: hold an estimate and end a stream the balance cannot pay. strict: hold the largest price. lenient: let a stream finish and book a debt.',
    zh: 'metered：按估算预扣，余额不足时结束流；strict：按最高价预扣；lenient：允许流完成并记为欠款。',
  }),
  'billing_setting.strict_fits': toggle(false, {
    section: 'pricing',
    en: 'strict: a call that the balance cannot pay whole, but its input, is sent with a lower limit of output.',
    zh: 'strict：余额不足以支付最高价但足以支付输入时，降低输出上限后发送。',
  }),
}
