import { matchTools, defineFee, defineDollars } from '../define-fee.ts'
import type { FeeRow } from '../fee-row.ts'
import * as source from '../fee-sources.ts'

export const chineseFees: readonly FeeRow[] = [
  defineFee('qwen', 'qwen_web_search', {
    requests: [{ type: 'member', name: 'enable_search' }, ...matchTools('web_search')],
    reportedAt: ['plugins.search.count', 'x_tools.web_search.count'],
    evidence: 'web_search',
    commonName: 'web_search',
    price: defineDollars('0.573411', '$0.573411 per 1,000 calls'),
    source: source.QWEN_SEARCH,
  }),
  defineFee('zhipu', 'zhipu_web_search', {
    requests: matchTools('web_search'),
    evidence: 'search_results',
    commonName: 'web_search',
    price: defineDollars('10', 'Web Search $0.01 / use'),
    source: source.ZAI_PRICES,
  }),
  defineFee('moonshot', 'moonshot_web_search', {
    requests: [{ type: 'function', name: '$web_search' }],
    evidence: 'vendor_function',
    commonName: 'web_search',
    // The document prints ￥0.03 a call; at 7.1 to the dollar, the rate of the day on which it was read.
    price: defineDollars('4.2253521127', '￥0.03 / call, at 7.1 CNY to the dollar on 2026-11-30'),
    source: source.KIMI_TOOLS,
  }),
  defineFee('baidu', 'baidu_web_search', {
    requests: [{ type: 'member', name: 'web_search' }],
    evidence: 'search_results',
    commonName: 'web_search',
    price: 'unknown',
    source: source.BAIDU_SEARCH,
  }),
  defineFee('volcano', 'volcano_web_search', {
    requests: matchTools('web_search'),
    reportedAt: ['tool_usage.web_search'],
    evidence: 'web_search',
    commonName: 'web_search',
    formerName: 'web_search',
    price: 'unknown',
    source: source.VOLCANO_TOOLS,
  }),
  defineFee('hunyuan', 'hunyuan_search', {
    requests: [{ type: 'member', name: 'enable_enhancement' }],
    evidence: 'search_results',
    commonName: 'web_search',
    price: 'unknown',
    source: source.HUNYUAN_SEARCH,
  }),
]
