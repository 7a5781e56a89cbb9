// Chinese words for the tables of `docs/reference/members.md`, by the English text.

/** @type {import('../translate.mjs').Words} */
export const memberWords = {
  verbatim: [],
  rows: {
    names: '指定另一个模型：令牌、分组、渠道均允许，有价格，且供应商会告知实际由哪个模型完成时保留；否则移除',
    routes: '选择模型、地址、密钥、部署或智能体：移除',
    priced: '另有费用，或影响价格倍率',
    limit: '限制输出或其他数量，也就限制了单次调用的最高费用',
    reaches: '使供应商读取或执行请求以外的内容：由渠道开关决定',
    narrows: '只会缩小调用的去向：放行',
    identifies: '调用方的标识',
    content: '放行；网关会读取，因此只接受一种写法',
    plain: '放行',
  },
  texts: {
    effect: '作用',
    'what happens': '处理方式',
    provider: '供应商',
    'members that may name a model': '可以指定模型的参数',
    'every other': '其他',
    none: '无',
    objects: '对象',
    members: '参数',
    source: '来源',
  },
  patterns: [[/^(.*[a-z`)].*)$/s, '$1']],
}
