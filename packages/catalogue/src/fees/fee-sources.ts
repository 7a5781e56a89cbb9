import type { MemberSource } from '../members/member-row.ts'

/** The documents with the figures of the fees, each with the day on which it was read. */
function document(url: string): MemberSource {
  return { url, date: '2026-11-30' }
}

export const OPENAI_PRICES = document('https://platform.openai.com/docs/pricing#built-in-tools')
export const OPENAI_SEARCH_TIERS = document(
  'https://community.openai.com/t/search-web-using-openai-api/1363698',
)
export const ANTHROPIC_PRICES = document('https://platform.claude.com/docs/en/about-claude/pricing')
export const XAI_PRICES = document('https://docs.x.ai/developers/pricing.md')
export const XAI_LIVE_SEARCH = document('https://docs.x.ai/docs/guides/live-search')
export const GEMINI_PRICES = document('https://ai.google.dev/gemini-api/docs/pricing')
export const VERTEX_PRICES = document('https://cloud.google.com/vertex-ai/generative-ai/pricing')
export const OPENROUTER_SEARCH = document('https://openrouter.ai/docs/guides/features/plugins/web-search')
export const PERPLEXITY_PRICES = document('https://docs.perplexity.ai/getting-started/pricing')
export const QWEN_SEARCH = document('https://www.alibabacloud.com/help/en/model-studio/web-search')
export const ZAI_PRICES = document('https://docs.z.ai/guides/overview/pricing')
export const KIMI_TOOLS = document('https://platform.kimi.com/docs/pricing/tools.md')
export const BAIDU_SEARCH = document('https://cloud.baidu.com/doc/qianfan-api/s/3m7of64lb')
export const VOLCANO_TOOLS = document('https://www.volcengine.com/docs/82379/1494384')
export const HUNYUAN_SEARCH = document('https://cloud.tencent.com/document/product/1729/111007')
