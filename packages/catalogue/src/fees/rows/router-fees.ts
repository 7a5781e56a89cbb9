import { matchTools, defineFee, defineDollars } from '../define-fee.ts'
import type { FeeRequest, FeeRow } from '../fee-row.ts'
import * as source from '../fee-sources.ts'

const SEARCHES: readonly FeeRequest[] = [
  { type: 'plugin', name: 'web', isCertain: true },
  { type: 'suffix', name: ':online', isCertain: true },
  { type: 'member', name: 'web_search_options' },
  ...matchTools('openrouter:web_search', 'web_search', 'web_search_preview'),
]
const REPORTED = ['server_tool_use.web_search_requests', 'server_tool_use_details.web_search_requests']
/** Their own search serves them, at the price of their vendors. */
const SEARCHING = ['openai/', 'anthropic/', 'x-ai/', 'perplexity/']

export const openRouterFees: readonly FeeRow[] = [
  defineFee('openrouter', 'openrouter_native_search', {
    requests: SEARCHES,
    reportedAt: REPORTED,
    evidence: 'web_search',
    models: SEARCHING,
    commonName: 'web_search',
    formerName: 'web_search',
    price: defineDollars('10', 'native search at the price of the vendor: $10 per 1,000 searches'),
    source: source.OPENROUTER_SEARCH,
  }),
  defineFee('openrouter', 'openrouter_search_result', {
    requests: SEARCHES,
    reportedAt: REPORTED,
    evidence: 'web_search',
    exceptModels: SEARCHING,
    perUse: { member: 'max_results', usual: 5 },
    formerName: 'web_search',
    unit: 'result',
    price: defineDollars('4', '$4 per 1,000 results'),
    source: source.OPENROUTER_SEARCH,
  }),
]

const PRO = ['sonar-pro', 'sonar-reasoning-pro']
const RESEARCH = ['sonar-deep-research']

const EVERY: readonly FeeRequest[] = [{ type: 'every', name: 'answer', isCertain: true }]
const REQUEST = { requests: EVERY, unit: 'request', most: 1, source: source.PERPLEXITY_PRICES } as const

export const perplexityFees: readonly FeeRow[] = [
  ...(
    [
      ['low', '5', '6'],
      ['medium', '8', '10'],
      ['high', '12', '14'],
    ] as const
  ).flatMap(([contextSize, plain, pro]) => [
    defineFee('perplexity', `perplexity_request_${contextSize}`, {
      ...REQUEST,
      contextSize,
      exceptModels: [...PRO, ...RESEARCH],
      price: defineDollars(plain, `$${plain} per 1K requests, ${contextSize} search context`),
    }),
    defineFee('perplexity', `perplexity_pro_request_${contextSize}`, {
      ...REQUEST,
      contextSize,
      models: PRO,
      price: defineDollars(pro, `$${pro} per 1K requests, ${contextSize} search context`),
    }),
  ]),
  defineFee('perplexity', 'perplexity_research_search', {
    requests: EVERY,
    reportedAt: ['num_search_queries'],
    models: RESEARCH,
    unit: 'query',
    most: 100,
    expected: 30,
    price: defineDollars('5', 'Search Queries $5 / 1K'),
    source: source.PERPLEXITY_PRICES,
  }),
]
