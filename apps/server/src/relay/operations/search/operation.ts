import type { Operation } from '../operation.ts'

const ONE_SEARCH = { web_search: 1 }

/** A web search without a model's response; charged per search, however much it reads. */
export const search: Operation = {
  name: 'search',
  wire: 'search',
  paths: [{ path: '/v1/alpha/search' }],
  sizes: 'none',
  toolCalls: { certain: ONE_SEARCH, most: ONE_SEARCH },
  isWithoutTokens: true,
}
