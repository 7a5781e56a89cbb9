import { matchTools, matchToolMembers, defineFee, defineDollars } from '../define-fee.ts'
import type { FeeRow } from '../fee-row.ts'
import * as source from '../fee-sources.ts'

export const googleFees: readonly FeeRow[] = [
  defineFee('google', 'google_enterprise_search', {
    requests: matchToolMembers('enterpriseWebSearch'),
    evidence: 'google_search',
    isOnlyIfRequested: true,
    formerName: 'google_search',
    unit: 'query',
    price: defineDollars(
      '14',
      '$14 per 1,000 search queries; $45 per 1,000 grounded prompts before Gemini 3',
      {
        'gemini-1': '45',
        'gemini-2': '45',
      },
    ),
    source: source.VERTEX_PRICES,
  }),
  defineFee('google', 'google_search', {
    requests: [
      ...matchToolMembers('googleSearch', 'googleSearchRetrieval'),
      ...matchTools('web_search', 'web_search_preview'),
      { type: 'member', name: 'web_search_options' },
    ],
    evidence: 'google_search',
    formerName: 'google_search',
    unit: 'query',
    price: defineDollars(
      '14',
      '$14 per 1,000 search queries; $35 per 1,000 grounded prompts before Gemini 3',
      {
        'gemini-1': '35',
        'gemini-2': '35',
      },
    ),
    source: source.GEMINI_PRICES,
  }),
  defineFee('google', 'google_maps', {
    requests: matchToolMembers('googleMaps'),
    evidence: 'google_maps',
    unit: 'prompt',
    most: 1,
    price: defineDollars('14', '$14 per 1,000 queries; $25 per 1,000 grounded prompts before Gemini 3', {
      'gemini-1': '25',
      'gemini-2': '25',
    }),
    source: source.GEMINI_PRICES,
  }),
]
