import { isRecord } from '@tollgate/kit/json'
import { describeGuess, estimateWeight } from '../family/estimate-weight.ts'
import type { LossWeight } from '../family/column.ts'
import type { ImportLoss } from '../find-losses.ts'

const CONFIG = 'config.yaml'

type Params = Readonly<Record<string, unknown>>

export interface ConfigReading {
  readonly config: Params
  /** `litellm_params` of the entries that became models. */
  readonly params: readonly Params[]
  readonly entries: number
  readonly unkeptPrices: number
  readonly differingPrices: number
}

/** What is not kept of a `config.yaml`: what is known by name first, then every other member that is set. */
export function findConfigLosses(reading: ConfigReading): readonly ImportLoss[] {
  return [...findEntryLosses(reading), ...SECTIONS.flatMap((section) => findSectionLosses(reading, section))]
}

function findEntryLosses(reading: ConfigReading): readonly ImportLoss[] {
  const { params, entries, unkeptPrices, differingPrices } = reading
  const having = (...names: string[]): number =>
    params.filter((each) => names.some((name) => each[name] !== undefined)).length
  const all: readonly ImportLoss[] = [
    describe(
      'model_list',
      entries - params.length,
      'limits',
      'these entries cannot be read: add their models by hand',
    ),
    describe(
      'input_cost_per_token',
      unkeptPrices,
      'prices',
      'these prices are not kept, because they have no price for output or are no prices of tokens: set a ratio, which is the price per million tokens divided by $2',
    ),
    describe(
      'output_cost_per_token',
      differingPrices,
      'prices',
      'the deployments of these models have different prices: the dearest is charged here',
    ),
    describe('rpm, tpm', having('rpm', 'tpm'), 'limits', 'limits of single deployments are not kept'),
    describe('max_budget', having('max_budget'), 'limits', 'budgets of single deployments are not kept'),
  ]
  return all.filter(({ rows }) => rows > 0)
}

const SECTIONS = ['general_settings', 'router_settings', 'litellm_settings'] as const

type KnownMember = readonly [LossWeight | undefined, string]

const FALLBACKS: KnownMember = [
  'limits',
  'a model is not replaced by another one here: name the other channel’s model in a mapping',
]
const WITHOUT_EFFECT: KnownMember = [undefined, '']

/** https://docs.litellm.ai/docs/proxy/config_settings */
const KNOWN: Readonly<Record<string, KnownMember>> = {
  master_key: ['protects', 'the master key is no account here: the first start asks who is the super admin'],
  fallbacks: FALLBACKS,
  default_fallbacks: FALLBACKS,
  context_window_fallbacks: FALLBACKS,
  content_policy_fallbacks: FALLBACKS,
  model_group_alias: [
    'limits',
    'other names of models are not kept: add them to the models and the mapping of a channel',
  ],
  allowed_ips: [
    'protects',
    'the gateway answers every address: give tokens a list of addresses, or use a firewall',
  ],
  max_parallel_requests: [
    'limits',
    'the limit of all calls together is not kept: give tokens a limit of parallel calls',
  ],
  global_max_parallel_requests: [
    'limits',
    'the limit of all calls together is not kept: give tokens a limit of parallel calls',
  ],
  max_budget: [
    'limits',
    'the budget of all users together is not kept: watch the spending, and limit users by their quota',
  ],
  max_user_budget: ['limits', 'the budget of new users is not kept: set the quota that a new user gets'],
  max_internal_user_budget: [
    'limits',
    'the budget of new users is not kept: set the quota that a new user gets',
  ],
  default_internal_user_params: [
    'limits',
    'what new users get is not kept: set the quota and the group of a new user',
  ],
  default_team_settings: ['limits', 'teams are users here: set what these teams get by hand'],
  callbacks: WITHOUT_EFFECT,
  success_callback: WITHOUT_EFFECT,
  failure_callback: WITHOUT_EFFECT,
  database_url: WITHOUT_EFFECT,
  drop_params: WITHOUT_EFFECT,
  num_retries: WITHOUT_EFFECT,
  request_timeout: WITHOUT_EFFECT,
  routing_strategy: WITHOUT_EFFECT,
  set_verbose: WITHOUT_EFFECT,
  json_logs: WITHOUT_EFFECT,
}

function findSectionLosses(
  { config }: ConfigReading,
  section: (typeof SECTIONS)[number],
): readonly ImportLoss[] {
  const members = config[section]
  if (!isRecord(members)) return []
  return Object.entries(members)
    .filter(([, value]) => isSet(value))
    .map(([name, value]) => {
      const member = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined
      if (member) return describe(name, 1, ...member)
      const weight = estimateWeight(name, typeof value === 'string' ? value : undefined)
      return describe(name, 1, weight, weight ? describeGuess(weight) : '')
    })
}

/** LiteLLM does without what is null, false or empty. */
function isSet(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '') return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}

function describe(
  name: string,
  rows: number,
  weight: LossWeight | undefined,
  consequence: string,
): ImportLoss {
  return { table: CONFIG, name, rows, weight, consequence }
}
