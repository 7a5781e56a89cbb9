// Chinese words for the tables of `docs/reference/providers.md`, by the English text. Names of providers stay.

/** @type {import('../translate.mjs').Words} */
export const providerWords = {
  verbatim: [1],
  texts: {
    type: '类型',
    provider: '供应商',
    'OpenAI chat callers': 'OpenAI Chat 调用方',
    'Anthropic Messages callers': 'Anthropic Messages 调用方',
    'OpenAI Responses callers': 'OpenAI Responses 调用方',
    'Gemini callers': 'Gemini 调用方',
    embeddings: '嵌入',
    native: '原生',
    converted: '转换',
    yes: '是',
    rerank: '重排序',
    images: '图片生成',
    'image edits': '图片编辑',
    variations: '图片变体',
    speech: '语音合成',
    transcriptions: '语音转写',
    translations: '语音翻译',
    Realtime: 'Realtime',
    'web search': '联网搜索',
    paths: '路径',
  },
}
