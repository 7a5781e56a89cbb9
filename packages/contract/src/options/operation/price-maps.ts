import { columns, contextTiers, ratios } from '../json-kinds.ts'
import { toggle } from '../kinds.ts'
import { section } from '../section.ts'

export const priceMapsSection = section({
  key: 'price-maps',
  title: { en: 'Prices as JSON', zh: '倍率设置（JSON）' },
  purpose: {
    en: 'The same prices as text. Each saved change is a new version of the price list, and every call names its version.',
    zh: '以文本形式编辑同样的价格。每次保存产生新的价格版本，每个请求都记录所用版本。',
  },
  settings: {
    ModelPrice: ratios(undefined, {
      label: { en: 'Price per call', zh: '模型固定价格' },
      help: {
        en: 'Model to price of one call in currency, of a video for each second; wins over the ratio. Videos may have prices of their own by their qualities, in any order: viduq1@1080p, kling-v2-6@pro+audio. The price with most of them that fit counts, else that of the model.',
        zh: '模型固定价格（每次调用；视频为每秒价格），优先于倍率。视频可按规格单独定价，顺序不限：viduq1@1080p、kling-v2-6@pro+audio。取匹配规格最多的价格，都不匹配时按模型价格。',
      },
    }),
    ModelRatio: ratios(undefined, {
      label: { en: 'Model ratio', zh: '模型倍率' },
      help: {
        en: 'Model to input ratio; ratio 1 is one unit of quota for one input token. Videos of Seedance with a ratio are charged by the tokens that their upstream counts.',
        zh: '模型倍率：倍率 1 表示每个输入 token 消耗 1 单位额度。设置倍率的 Seedance 视频按上游统计的 token 计费。',
      },
    }),
    CompletionRatio: ratios(undefined, {
      label: { en: 'Output ratio', zh: '补全倍率' },
      help: { en: 'Model to output ratio, relative to the input.', zh: '补全倍率，相对于输入。' },
    }),
    CacheRatio: ratios(undefined, {
      label: { en: 'Cached input ratio', zh: '缓存倍率' },
      help: {
        en: 'Model to ratio of cached input, relative to the input.',
        zh: '缓存命中倍率，相对于输入。',
      },
    }),
    CreateCacheRatio: ratios(undefined, {
      label: { en: 'Cache write ratio', zh: '缓存写入倍率' },
      help: {
        en: 'Model to ratio of input written to a cache, relative to the input.',
        zh: '缓存写入倍率，相对于输入。',
      },
    }),
    CreateCache1hRatio: ratios(undefined, {
      label: { en: 'Cache write ratio (1 hour)', zh: '缓存写入倍率（1 小时）' },
      help: {
        en: 'Model to ratio of input written to a cache for an hour, relative to the input. Without an entry: 1.6 times that of five minutes.',
        zh: '写入一小时缓存的倍率，相对于输入；未设置时为五分钟缓存写入倍率的 1.6 倍。',
      },
    }),
    ImageRatio: ratios(undefined, {
      label: { en: 'Image input ratio', zh: '图片输入倍率' },
      help: { en: 'Model to ratio of image input, relative to the input.', zh: '图片输入倍率，相对于输入。' },
    }),
    AudioRatio: ratios(undefined, {
      label: { en: 'Audio input ratio', zh: '音频输入倍率' },
      help: { en: 'Model to ratio of audio input, relative to the input.', zh: '音频输入倍率，相对于输入。' },
    }),
    AudioCompletionRatio: ratios(undefined, {
      label: { en: 'Audio output ratio', zh: '音频补全倍率' },
      help: {
        en: 'Model to ratio of audio output, relative to the audio input.',
        zh: '音频输出倍率，相对于音频输入。',
      },
    }),
    ToolPrices: ratios(undefined, {
      label: { en: 'Tool prices', zh: '工具价格' },
      help: {
        en: 'Fee, fee:model or fee:model-prefix*, to price of 1,000 of its units in currency; 0 switches it off. web_search also prices the searches of vendors that have no price of their own here.',
        zh: '费用（或 费用:模型、费用:模型前缀*）每千单位的价格，0 表示不收费。web_search 同时适用于此处没有单独价格的各供应商搜索。',
      },
      columns: [
        { en: 'Tool', zh: '工具' },
        { en: '$ per 1,000', zh: '每千次价格（美元）' },
      ],
    }),
    ListedFeesCharged: toggle(true, {
      label: { en: 'Charge fees at list prices', zh: '按目录价收取附加费' },
      help: {
        en: 'Fees that vendors take beside tokens, such as searches, are charged at the price above, or else at the list price of their vendor. Off: what has no price above is counted, and not charged.',
        zh: '供应商在 token 之外收取的费用（如联网搜索）按上方价格计费；未填写的按供应商目录价计费。关闭时，未填写价格的费用只统计，不收费。',
      },
    }),
    ServiceTierRatio: ratios(undefined, {
      label: { en: 'Service tier ratio', zh: '服务等级倍率' },
      help: {
        en: 'Service tier, tier:model or tier:model-prefix*, to factor on the price of what was answered in it; 0 switches it off. geo-us: Claude, where the answer had to be made in the United States.',
        zh: '服务等级（或 等级:模型、等级:模型前缀*）的价格倍率，按应答所用等级计费，0 表示不启用。geo-us：限定在美国推理的 Claude 应答。',
      },
      columns: [{ en: 'Service tier', zh: '服务等级' }, columns.ratio],
    }),
    VendorCostRatio: ratios(undefined, {
      label: { en: 'At least the vendor’s cost', zh: '不低于供应商成本' },
      help: {
        en: 'Model, or model-prefix*, to a factor: a call costs at least this many times what its vendor told that it costs. 1 is at least the cost; 0 switches off a wider prefix. Only OpenRouter and Perplexity tell their costs. Never more than the call was admitted for.',
        zh: '模型（或 模型前缀*）的倍数：调用的费用不低于供应商给出的成本乘以该倍数。1 表示不低于成本，0 取消更宽前缀的设置。只有 OpenRouter 和 Perplexity 会给出成本。不超过调用获准的上限。',
      },
    }),
    ContextTierRatio: contextTiers({
      label: { en: 'Price of long context', zh: '长上下文倍率' },
      help: {
        en: 'Model, or model-prefix*, to factors on the price of every token of a call with more input than this, caches and media included. A cache without a factor follows the input.',
        zh: '模型（或 模型前缀*）的长上下文价格：输入 token（含缓存与媒体）超过该数量时，整个请求按这些倍率计费；缓存未填写时与输入相同。',
      },
    }),
  },
})
