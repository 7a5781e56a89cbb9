import { isRecord } from '@tollgate/kit/json'
import { parse } from 'yaml'
import { type SourceRow, SourceError } from '../source.ts'
import type { ImportLoss } from '../find-losses.ts'
import { findConfigLosses } from './config-losses.ts'
import { readModelInfo, readPrices } from './read-prices.ts'
import { litellmVendors } from './vendors.ts'

/** Channels and prices made of the `model_list` of a `config.yaml`. */
export interface LitellmConfig {
  readonly channels: readonly SourceRow[]
  /** Settings in the form of new-api. */
  readonly options: readonly SourceRow[]
  readonly losses: readonly ImportLoss[]
}

const CHARACTERS_MAX = 5_000_000
const MODELS_MAX = 5_000

type Environment = Readonly<Record<string, string | undefined>>
type Params = Readonly<Record<string, unknown>>

interface Deployment {
  readonly name: string
  readonly model: string
  readonly params: Params
  readonly info: Params
}

/** Deployments of one provider, address and key become one channel. */
export function readConfig(text: string, environment: Environment): LitellmConfig {
  if (text.length > CHARACTERS_MAX) throw new SourceError('The configuration of LiteLLM is too large.')
  const config = parseYaml(text)
  const list = Array.isArray(config['model_list']) ? config['model_list'] : []
  const deployments = list.slice(0, MODELS_MAX).filter(isRecord).flatMap(readDeployment)
  const groups = Map.groupBy(deployments, ({ model, params }) =>
    JSON.stringify([findVendor(model), params['api_base'], params['api_key'], params['weight']]),
  )
  const channels = [...groups.values()].map((group, place) => channelRow(group, place + 1, environment))
  const { options, unkept, differing } = readPrices(deployments)
  const losses = findConfigLosses({
    config,
    params: deployments.map(({ params }) => params),
    entries: list.length,
    unkeptPrices: unkept,
    differingPrices: differing,
  })
  return { channels, options, losses }
}

function parseYaml(text: string): Params {
  try {
    const value: unknown = parse(text)
    if (isRecord(value)) return value
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n', 1)[0] : ''
    throw new SourceError(`The configuration of LiteLLM cannot be read: ${reason}`, { cause })
  }
  throw new SourceError('The configuration of LiteLLM is no YAML object.')
}

function readDeployment(entry: Params): readonly Deployment[] {
  const { model_name: name, litellm_params: params } = entry
  if (typeof name !== 'string' || !isRecord(params) || typeof params['model'] !== 'string') return []
  return [{ name, model: params['model'], params, info: readModelInfo(entry) }]
}

function findVendor(model: string): string {
  const slash = model.indexOf('/')
  const prefix = slash === -1 ? '' : model.slice(0, slash)
  return prefix in litellmVendors ? prefix : 'openai'
}

function channelRow(group: readonly Deployment[], id: number, environment: Environment): SourceRow {
  const [first] = group
  const vendor = findVendor(first?.model ?? '')
  const params = first?.params ?? {}
  const { type, address = '' } = litellmVendors[vendor] ?? { type: 1 }
  const prefix = `${vendor}/`
  const names = group.map(({ name, model }) => {
    const upstream = model.startsWith(prefix) ? model.slice(prefix.length) : model
    return [name, upstream] as const
  })
  const mapping = Object.fromEntries(names.filter(([name, upstream]) => name !== upstream))
  return {
    id: BigInt(id),
    type: BigInt(type),
    name: `${vendor} ${id}`,
    key: readKey(params, environment),
    base_url: (readText(params['api_base'], environment) || address).replace(/\/v1\/?$/, ''),
    other: readText(params['api_version'], environment) || readText(params['vertex_location'], environment),
    models: [...new Set(names.map(([name]) => name))].join(','),
    model_mapping: Object.keys(mapping).length === 0 ? '' : JSON.stringify(mapping),
    group: 'default',
    weight: BigInt(Math.max(0, Math.trunc(Number(params['weight'] ?? 0)) || 0)),
    status: 1n,
    auto_ban: 1n,
  }
}

/** Bedrock's credential has three parts here; a service account is the key of Vertex. */
function readKey(params: Params, environment: Environment): string {
  const parts = ['aws_access_key_id', 'aws_secret_access_key', 'aws_region_name'].map((name) =>
    readText(params[name], environment),
  )
  if (parts[0] !== '') return parts.join('|')
  const account = params['vertex_credentials']
  return readText(params['api_key'], environment) || readText(account, environment)
}

/** `os.environ/NAME` is read from the environment of this command. */
function readText(value: unknown, environment: Environment): string {
  if (typeof value !== 'string') return ''
  const name = /^os\.environ\/(\w+)$/.exec(value.trim())?.[1]
  return name === undefined ? value.trim() : (environment[name] ?? '')
}
