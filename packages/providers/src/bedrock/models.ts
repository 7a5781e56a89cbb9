import { ownValue } from '@tollgate/kit/own-value'

/**
 * Bedrock's model ids by model name, and the region groups that have a cross-region inference profile for
 * each. https://docs.aws.amazon.com/bedrock/latest/userguide/models-supported.html
 */
const models: Readonly<Record<string, readonly [id: string, regions: string]>> = {
  'claude-3-sonnet-20240229': ['anthropic.claude-3-sonnet-20240229-v1:0', 'us eu ap'],
  'claude-3-opus-20240229': ['anthropic.claude-3-opus-20240229-v1:0', 'us'],
  'claude-3-haiku-20240307': ['anthropic.claude-3-haiku-20240307-v1:0', 'us eu ap'],
  'claude-3-5-sonnet-20240620': ['anthropic.claude-3-5-sonnet-20240620-v1:0', 'us eu ap'],
  'claude-3-5-sonnet-20241022': ['anthropic.claude-3-5-sonnet-20241022-v2:0', 'us ap'],
  'claude-3-5-haiku-20241022': ['anthropic.claude-3-5-haiku-20241022-v1:0', 'us'],
  'claude-3-7-sonnet-20250219': ['anthropic.claude-3-7-sonnet-20250219-v1:0', 'us eu ap'],
  'claude-sonnet-4-20250514': ['anthropic.claude-sonnet-4-20250514-v1:0', 'us eu ap'],
  'claude-opus-4-20250514': ['anthropic.claude-opus-4-20250514-v1:0', 'us'],
  'claude-opus-4-1-20250805': ['anthropic.claude-opus-4-1-20250805-v1:0', 'us'],
  'claude-sonnet-4-5-20250929': ['anthropic.claude-sonnet-4-5-20250929-v1:0', 'us eu ap'],
  'claude-haiku-4-5-20251001': ['anthropic.claude-haiku-4-5-20251001-v1:0', 'us eu ap'],
  'claude-opus-4-5-20251101': ['anthropic.claude-opus-4-5-20251101-v1:0', 'us eu ap'],
  'claude-opus-4-6': ['anthropic.claude-opus-4-6-v1', 'us eu ap'],
  'claude-sonnet-4-6': ['anthropic.claude-sonnet-4-6', 'us eu ap'],
  'claude-opus-4-7': ['anthropic.claude-opus-4-7', 'us eu ap'],
  'claude-opus-4-8': ['anthropic.claude-opus-4-8', 'us eu ap'],
  'nova-micro-v1:0': ['amazon.nova-micro-v1:0', 'us eu ap'],
  'nova-lite-v1:0': ['amazon.nova-lite-v1:0', 'us eu ap'],
  'nova-pro-v1:0': ['amazon.nova-pro-v1:0', 'us eu ap'],
  'nova-premier-v1:0': ['amazon.nova-premier-v1:0', 'us'],
}

export const bedrockModels: readonly string[] = Object.keys(models)

/**
 * The prefixes of cross-region inference profiles. In Asia the prefix (`apac.`) differs from that of the
 * region names (`ap-`).
 */
const shared: Readonly<Record<string, string>> = { us: 'us.', eu: 'eu.', ap: 'apac.' }

/**
 * Returns the model id for the URL. An unknown name is taken as an id, or an ARN, that the operator
 * configured.
 */
export function bedrockId(model: string, region: string): string {
  const known = ownValue(models, model)
  if (known === undefined) return model
  const [id, regions] = known
  const area = region.split('-')[0] ?? ''
  return regions.split(' ').includes(area) ? `${shared[area] ?? ''}${id}` : id
}
