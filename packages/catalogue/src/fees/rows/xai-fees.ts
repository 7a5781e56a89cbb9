import { matchTools, defineFee, defineDollars } from '../define-fee.ts'
import type { FeeRow } from '../fee-row.ts'
import * as source from '../fee-sources.ts'

/** Usage of tools is reported by the number of calls that succeeded, which is what is billed. */
const TOOLS = 'server_side_tool_usage_details'

export const xaiFees: readonly FeeRow[] = [
  defineFee('xai', 'xai_web_search', {
    requests: matchTools('web_search', 'web_search_preview'),
    reportedAt: [`${TOOLS}.web_search_calls`],
    evidence: 'web_search',
    commonName: 'web_search',
    formerName: 'web_search',
    price: defineDollars('5', 'Web Search $5 / 1k calls'),
    source: source.XAI_PRICES,
  }),
  defineFee('xai', 'x_search', {
    requests: matchTools('x_search'),
    reportedAt: [`${TOOLS}.x_search_calls`],
    evidence: 'x_search',
    commonName: 'web_search',
    price: defineDollars('5', 'X Search $5 / 1k calls'),
    source: source.XAI_PRICES,
  }),
  defineFee('xai', 'xai_code_execution', {
    requests: matchTools('code_interpreter', 'code_execution'),
    reportedAt: [`${TOOLS}.code_interpreter_calls`, `${TOOLS}.code_execution_calls`],
    evidence: 'code_interpreter_runs',
    formerName: 'code_interpreter',
    price: defineDollars('5', 'Code Execution $5 / 1k calls'),
    source: source.XAI_PRICES,
  }),
  defineFee('xai', 'collections_search', {
    requests: matchTools('collections_search', 'file_search'),
    reportedAt: [`${TOOLS}.file_search_calls`, `${TOOLS}.collections_search_calls`],
    evidence: 'file_search',
    formerName: 'file_search',
    price: defineDollars('2.5', 'Collections Search $2.50 / 1k calls'),
    source: source.XAI_PRICES,
  }),
  defineFee('xai', 'attachment_search', {
    requests: matchTools('attachment_search'),
    reportedAt: [`${TOOLS}.attachment_search_calls`],
    price: defineDollars('10', 'File Attachments $10 / 1k calls'),
    source: source.XAI_PRICES,
  }),
  defineFee('xai', 'live_search_source', {
    requests: [{ type: 'member', name: 'search_parameters' }],
    reportedAt: ['num_sources_used'],
    mostAt: 'max_search_results',
    unit: 'source',
    most: 20,
    expected: 10,
    price: defineDollars('25', '$25 per 1,000 sources'),
    source: source.XAI_LIVE_SEARCH,
  }),
]
