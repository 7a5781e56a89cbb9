import { ownValue } from '@tollgate/kit/own-value'

export interface FeeTitle {
  readonly en: string
  readonly zh: string
}

/** What people call each fee, by its name. */
export const feeTitles: Readonly<Record<string, FeeTitle>> = {
  web_search: { en: 'Web search', zh: '联网搜索' },
  web_search_preview: { en: 'Web search (preview)', zh: '联网搜索（预览版）' },
  file_search: { en: 'File search', zh: '文件检索' },
  image_generation: { en: 'Image by a tool', zh: '工具生成图片' },
  code_interpreter: { en: 'Code container, 1 GB', zh: '代码容器（1 GB）' },
  hosted_shell: { en: 'Shell container, 1 GB', zh: '终端容器（1 GB）' },
  anthropic_code_execution: { en: 'Claude code container, 5 minutes', zh: 'Claude 代码容器（5 分钟）' },
  google_search: { en: 'Google search', zh: '谷歌搜索' },
  google_enterprise_search: { en: 'Google search for enterprises', zh: '谷歌企业搜索' },
  google_maps: { en: 'Google Maps', zh: '谷歌地图' },
  xai_web_search: { en: 'Web search by xAI', zh: 'xAI 联网搜索' },
  x_search: { en: 'Search of X', zh: 'X 搜索' },
  xai_code_execution: { en: 'Code run by xAI', zh: 'xAI 代码执行' },
  collections_search: { en: 'Search of collections', zh: '知识库检索' },
  attachment_search: { en: 'Search of attachments', zh: '附件检索' },
  live_search_source: { en: 'Source of a live search', zh: '实时搜索来源' },
  openrouter_native_search: { en: 'Native search by OpenRouter', zh: 'OpenRouter 原生搜索' },
  openrouter_search_result: { en: 'Search result by OpenRouter', zh: 'OpenRouter 搜索结果' },
  perplexity_request_low: { en: 'Request to Sonar, low context', zh: 'Sonar 请求（低上下文）' },
  perplexity_request_medium: { en: 'Request to Sonar, medium context', zh: 'Sonar 请求（中上下文）' },
  perplexity_request_high: { en: 'Request to Sonar, high context', zh: 'Sonar 请求（高上下文）' },
  perplexity_pro_request_low: { en: 'Request to Sonar Pro, low context', zh: 'Sonar Pro 请求（低上下文）' },
  perplexity_pro_request_medium: {
    en: 'Request to Sonar Pro, medium context',
    zh: 'Sonar Pro 请求（中上下文）',
  },
  perplexity_pro_request_high: { en: 'Request to Sonar Pro, high context', zh: 'Sonar Pro 请求（高上下文）' },
  perplexity_research_search: { en: 'Search of a deep research', zh: '深度研究搜索' },
  qwen_web_search: { en: 'Web search by Qwen', zh: '通义联网搜索' },
  zhipu_web_search: { en: 'Web search by Zhipu', zh: '智谱联网搜索' },
  moonshot_web_search: { en: 'Web search by Kimi', zh: 'Kimi 联网搜索' },
  baidu_web_search: { en: 'Web search by Baidu', zh: '百度联网搜索' },
  volcano_web_search: { en: 'Web search by Doubao', zh: '豆包联网搜索' },
  hunyuan_search: { en: 'Search by Hunyuan', zh: '混元搜索' },
}

/** A fee that nobody knows is shown by its own name. */
export function formatFee(name: string, language: keyof FeeTitle): string {
  return ownValue(feeTitles, name)?.[language] ?? name
}
