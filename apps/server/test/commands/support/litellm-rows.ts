import { litellmColumns } from '@tollgate/importer/litellm/columns'
import { sha256Hex } from '@tollgate/kit/ids'
import type { Row, Tables } from './source-rows.ts'
import type { SourceSchema } from './source-schema.ts'

/** LiteLLM runs on PostgreSQL; the tables are made from the list of its columns. */

const CODES = { whole: 'I', decimal: 'F', flag: 'B', text: 'S', json: 'S', seconds: 'I', time: 'T' } as const
export const litellmSchema: SourceSchema = Object.fromEntries(
  [...Map.groupBy(litellmColumns, ({ table }) => table)].map(([table, columns]) => [
    table,
    Object.fromEntries(
      columns.filter(({ column }) => !column.includes('.')).map(({ column, type }) => [column, CODES[type]]),
    ),
  ]),
)

export const LITELLM_KEYS = {
  open: 'sk-open_Key-with-dashes1',
  ended: 'sk-ended-key-000000000001',
  off: 'sk-blocked-key-0000000001',
  limited: 'sk-limited-key-0000000001',
  team: 'sk-team-key-0000000000001',
  nobody: 'sk--begins-with-a-dash-01',
} as const

const day = (number: number): string => `2026-01-0${number} 00:00:00+00:00`
const key = (name: keyof typeof LITELLM_KEYS, number: number, more: Row): Row => ({
  token: sha256Hex(LITELLM_KEYS[name]),
  key_name: `sk-...${LITELLM_KEYS[name].slice(-4)}`,
  key_alias: name,
  spend: 0.5,
  models: '{}',
  created_at: day(number),
  ...more,
})

export const litellmTables: Tables = {
  LiteLLM_UserTable: [
    {
      user_id: 'u1',
      user_email: 'ann@example.com',
      max_budget: 10,
      spend: 2.5,
      created_at: day(1),
      password: 'scrypt:x',
      budget_duration: '30d',
    },
    { user_id: 'u2', user_alias: 'bob', spend: 1, created_at: day(2), user_role: 'proxy_admin' },
  ],
  LiteLLM_TeamTable: [
    {
      team_id: 't1',
      team_alias: 'blue',
      max_budget: 3,
      spend: 4,
      models: '{gpt-4o,"claude x"}',
      rpm_limit: 60,
      created_at: day(1),
      blocked: false,
    },
  ],
  LiteLLM_BudgetTable: [{ budget_id: 'b1', max_budget: 5, tpm_limit: 1_000, budget_duration: '1d' }],
  LiteLLM_VerificationToken: [
    key('open', 1, { user_id: 'u1' }),
    key('ended', 2, { user_id: 'u1', expires: '2025-01-01 00:00:00+00:00' }),
    key('off', 3, { user_id: 'u1', blocked: true }),
    key('limited', 4, {
      user_id: 'u1',
      budget_id: 'b1',
      models: '{gpt-4o}',
      max_parallel_requests: 2,
      permissions: '{"get_spend_routes":true}',
    }),
    key('team', 5, {
      user_id: 'u1',
      team_id: 't1',
      models: '{all-team-models}',
      rpm_limit: 100,
      max_budget: 2,
      budget_duration: '5h',
    }),
    key('nobody', 6, {}),
  ],
}

export const LITELLM_CONFIG = `
model_list:
  - model_name: gpt-4o
    litellm_params: { model: azure/my-deployment, api_base: https://x.openai.azure.com, api_key: azure-key-000000001, api_version: 2024-10-21 }
  - model_name: fast
    litellm_params:
      model: groq/llama-3
      api_key: os.environ/NOT_SET_HERE
      rpm: 10
  - model_name: own
    litellm_params: { model: openai/own-model, api_base: https://own.example/v1, api_key: sk-own-key-00000001, input_cost_per_token: 0.000001, output_cost_per_token: 4e-06, cache_read_input_token_cost: "0.0000001" }
  - model_name: told-beside
    litellm_params: { model: openai/told-beside, api_base: https://own.example/v1, api_key: sk-own-key-00000001 }
    model_info: { input_cost_per_token: 0.00000003, output_cost_per_token: 0.00000006, mode: chat }
  - model_name: two-prices
    litellm_params: { model: openai/two, api_base: https://a.example, api_key: sk-a-key-00000001, input_cost_per_token: 0.000002, output_cost_per_token: 0.000004 }
  - model_name: two-prices
    litellm_params: { model: openai/two, api_base: https://b.example, api_key: sk-b-key-00000001, input_cost_per_token: 0.000001, output_cost_per_token: 0.000006 }
  - model_name: half-told
    litellm_params: { model: openai/half, api_base: https://a.example, api_key: sk-a-key-00000001, input_cost_per_token: 0.000002 }
  - model_name: by-second
    litellm_params: { model: openai/second, api_base: https://a.example, api_key: sk-a-key-00000001, input_cost_per_second: 0.01 }
  - model_name: below-zero
    litellm_params: { model: openai/below, api_base: https://a.example, api_key: sk-a-key-00000001, input_cost_per_token: -1, output_cost_per_token: 0 }
  - nonsense: true
litellm_settings: { fallbacks: [{ fast: [own] }], drop_params: true, max_budget: 100, cap_of_next_year: 3, set_verbose: false }
router_settings: { model_group_alias: { gpt: gpt-4o } }
general_settings: { master_key: sk-1234, allowed_ips: [10.0.0.1] }
`
