// Chinese words for the table of `docs/reference/fees.md`, by the English text.

/** @type {import('../translate.mjs').Words} */
export const feeWords = {
  verbatim: [0, 1, 2, 6, 9],
  texts: {
    fee: '费用',
    vendor: '供应商',
    'requested by': '由何请求',
    'counted by': '由何计数',
    unit: '单位',
    'list price, US dollars for 1,000': '目录价（每 1,000 单位，美元）',
    'as printed': '原文',
    most: '最多',
    expected: '预计',
    source: '来源',
    answer: '应答内容',
    request: '请求',
    call: '次',
    query: '查询',
    prompt: '提问',
    result: '结果',
    container: '容器',
    'five-minutes': '五分钟',
    unknown: '未知',
  },
}
