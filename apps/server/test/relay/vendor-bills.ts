import { answerChat, answerMessage, type Body, callFunctions } from './answer-bills.ts'
import {
  type BillRule,
  OPENAI,
  OPENROUTER,
  PERPLEXITY,
  XAI,
  asked,
  billContainer,
  billGemini,
  billPerplexity,
  billResponses,
  billXai,
  chat,
  rule,
} from './call-bills.ts'

const code = (memory: Body) => ({ type: 'code_interpreter', container: { type: 'auto', ...memory } })
const shell = (memory: Body) => ({ type: 'shell', environment: { type: 'container_auto', ...memory } })
const stored = { type: 'file_search', vector_store_ids: ['v'] }

const openAiRules = [
  rule('web_search', 1, ['bill-gpt'], OPENAI, billResponses({ type: 'web_search' }, 'web_search_call', '10')),
  rule(
    'web_search_preview',
    1,
    ['gpt-4o-bill'],
    OPENAI,
    billResponses({ type: 'web_search_preview' }, 'web_search_call', '25'),
  ),
  rule('file_search', 1, ['bill-files'], OPENAI, billResponses(stored, 'file_search_call', '2.5')),
  rule(
    'image_generation',
    1,
    ['bill-draw'],
    OPENAI,
    billResponses({ type: 'image_generation' }, 'image_generation_call', '150'),
  ),
  rule('code_interpreter', 1, ['bill-code'], OPENAI, billContainer(code({}), 'code_interpreter_call', 1)),
  rule(
    'code_interpreter',
    1,
    ['bill-code-16'],
    OPENAI,
    billContainer(code({ memory_limit: '16g' }), 'code_interpreter_call', 16),
  ),
  rule('hosted_shell', 1, ['bill-shell'], OPENAI, billContainer(shell({}), 'shell_call', 1)),
  rule(
    'hosted_shell',
    1,
    ['bill-shell-64'],
    OPENAI,
    billContainer(shell({ memory_limit: '64g' }), 'shell_call', 64),
  ),
]

const ANTHROPIC = 'https://platform.claude.com/docs/en/about-claude/pricing'
const claude = { max_tokens: 500, ...asked }

const anthropicRules = [
  rule('web_search', 14, ['claude-bill'], ANTHROPIC, (uses) => ({
    path: '/v1/messages',
    body: { ...claude, tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
    answer: answerMessage({ server_tool_use: { web_search_requests: uses } }),
    perThousand: '10',
    units: uses,
  })),
  rule('anthropic_code_execution', 14, ['claude-code-bill'], ANTHROPIC, (uses) => ({
    path: '/v1/messages',
    body: { ...claude, tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] },
    answer: answerMessage({ server_tool_use: { code_execution_requests: uses } }),
    // Five minutes at five cents an hour, for one container.
    perThousand: '4.1666666667',
    units: 1,
  })),
]

const GEMINI = 'https://ai.google.dev/gemini-api/docs/pricing'

const googleRules = [
  rule('google_search', 24, ['gemini-3-bill'], GEMINI, billGemini('gemini-3-bill', 'googleSearch', '14')),
  rule('google_search', 24, ['gemini-2.5-bill'], GEMINI, billGemini('gemini-2.5-bill', 'googleSearch', '35')),
  rule('google_maps', 24, ['gemini-2.5-maps'], GEMINI, billGemini('gemini-2.5-maps', 'googleMaps', '25')),
  rule('google_maps', 24, ['gemini-3-maps'], GEMINI, billGemini('gemini-3-maps', 'googleMaps', '14')),
  rule(
    'google_enterprise_search',
    24,
    ['gemini-2.5-firm'],
    GEMINI,
    billGemini('gemini-2.5-firm', 'enterpriseWebSearch', '45'),
  ),
  rule(
    'google_enterprise_search',
    24,
    ['gemini-3-firm'],
    GEMINI,
    billGemini('gemini-3-firm', 'enterpriseWebSearch', '14'),
  ),
]

const xaiRules = [
  rule('xai_web_search', 48, ['grok-web'], XAI, billXai('web_search', 'web_search_calls', '5')),
  rule('x_search', 48, ['grok-x'], XAI, billXai('x_search', 'x_search_calls', '5')),
  rule(
    'xai_code_execution',
    48,
    ['grok-code'],
    XAI,
    billXai('code_interpreter', 'code_interpreter_calls', '5'),
  ),
  rule(
    'collections_search',
    48,
    ['grok-files'],
    XAI,
    billXai('collections_search', 'file_search_calls', '2.5'),
  ),
  rule(
    'attachment_search',
    48,
    ['grok-parts'],
    XAI,
    billXai('attachment_search', 'attachment_search_calls', '10'),
  ),
  rule('live_search_source', 48, ['grok-live'], 'https://docs.x.ai/docs/guides/live-search', (uses) => ({
    path: chat,
    body: { ...asked, search_parameters: { mode: 'on' } },
    answer: answerChat({ num_sources_used: uses }),
    perThousand: '25',
    units: uses,
  })),
]

const routerRules = [
  rule('openrouter_search_result', 20, ['router-plugin', 'x/m'], OPENROUTER, () => ({
    path: chat,
    body: { ...asked, plugins: [{ id: 'web', max_results: 7 }] },
    answer: answerChat({ server_tool_use: null }),
    perThousand: '4',
    units: 7,
  })),
  rule('openrouter_search_result', 20, ['router-online', 'x/m:online'], OPENROUTER, () => ({
    path: chat,
    body: asked,
    answer: answerChat(),
    perThousand: '4',
    units: 5,
  })),
  rule('openrouter_search_result', 20, ['router-tool', 'x/n'], OPENROUTER, (uses) => ({
    path: chat,
    body: { ...asked, tools: [{ type: 'openrouter:web_search', parameters: { max_results: 3 } }] },
    // The same count in two places.
    answer: answerChat({
      server_tool_use: { web_search_requests: uses },
      server_tool_use_details: { web_search_requests: uses },
    }),
    perThousand: '4',
    units: uses * 3,
  })),
  rule('openrouter_native_search', 20, ['router-native', 'openai/gpt-5'], OPENROUTER, (uses) => ({
    path: chat,
    body: { ...asked, tools: [{ type: 'openrouter:web_search' }] },
    answer: answerChat({ server_tool_use: { web_search_requests: uses } }),
    perThousand: '10',
    units: uses,
  })),
  rule('perplexity_request_low', 27, ['sonar'], PERPLEXITY, billPerplexity(undefined, '5')),
  rule('perplexity_request_medium', 27, ['bill-sonar', 'sonar'], PERPLEXITY, billPerplexity('medium', '8')),
  rule('perplexity_request_high', 27, ['sonar-high', 'sonar'], PERPLEXITY, billPerplexity('high', '12')),
  rule('perplexity_pro_request_low', 27, ['sonar-pro'], PERPLEXITY, billPerplexity(undefined, '6')),
  rule(
    'perplexity_pro_request_medium',
    27,
    ['bill-pro', 'sonar-pro'],
    PERPLEXITY,
    billPerplexity('medium', '10'),
  ),
  rule(
    'perplexity_pro_request_high',
    27,
    ['bill-reason', 'sonar-reasoning-pro'],
    PERPLEXITY,
    billPerplexity('high', '14'),
  ),
  rule('perplexity_research_search', 27, ['sonar-deep-research'], PERPLEXITY, (uses) => ({
    path: chat,
    body: asked,
    answer: answerChat({ num_search_queries: uses }),
    perThousand: '5',
    units: uses,
  })),
]

const chineseRules = [
  rule(
    'qwen_web_search',
    17,
    ['qwen-bill'],
    'https://www.alibabacloud.com/help/en/model-studio/web-search',
    (uses) => ({
      path: chat,
      body: { ...asked, enable_search: true },
      answer: answerChat({ plugins: { search: { count: uses } } }),
      perThousand: '0.573411',
      units: uses,
    }),
  ),
  rule('zhipu_web_search', 26, ['glm-bill'], 'https://docs.z.ai/guides/overview/pricing', () => ({
    path: chat,
    body: { ...asked, tools: [{ type: 'web_search', web_search: { enable: true } }] },
    answer: answerChat({}, { content: 'ok' }, { web_search: [{ title: 't', link: 'https://a.example' }] }),
    perThousand: '10',
    units: 1,
  })),
  rule(
    'moonshot_web_search',
    25,
    ['kimi-bill'],
    'https://platform.kimi.com/docs/pricing/tools.md',
    (uses) => ({
      path: chat,
      body: { ...asked, tools: [{ type: 'builtin_function', function: { name: '$web_search' } }] },
      answer: answerChat({}, { content: '', tool_calls: callFunctions('$web_search', uses) }),
      perThousand: '4.2253521127',
      units: uses,
    }),
  ),
]

/** What each vendor bills. Nothing here comes from the gateway's own tables. */
export const billRules: readonly BillRule[] = [
  ...openAiRules,
  ...anthropicRules,
  ...googleRules,
  ...xaiRules,
  ...routerRules,
  ...chineseRules,
]
