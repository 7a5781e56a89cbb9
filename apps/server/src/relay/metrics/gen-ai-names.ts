/**
 * Names of the OpenTelemetry semantic conventions for generative AI:
 * https://opentelemetry.io/docs/specs/semconv/gen-ai/
 */

/** `gen_ai.provider.name` by the ids of providers; other providers keep their id. */
const PROVIDERS: Readonly<Record<string, string>> = {
  bedrock: 'aws.bedrock',
  azure: 'azure.ai.openai',
  gemini: 'gcp.gemini',
  vertex: 'gcp.vertex_ai',
  mistral: 'mistral_ai',
  xai: 'x_ai',
}

/** `gen_ai.operation.name` by the names of operations; other operations keep their name. */
const OPERATIONS: Readonly<Record<string, string>> = {
  chat: 'chat',
  messages: 'chat',
  responses: 'chat',
  compact: 'chat',
  realtime: 'chat',
  generate: 'generate_content',
  completions: 'text_completion',
  embed: 'embeddings',
}

export function genAiProvider(id: string): string {
  return PROVIDERS[id] ?? id
}

export function genAiOperation(name: string): string {
  return OPERATIONS[name] ?? name
}

/** Bucket bounds that the conventions recommend. */
export const TOKEN_BOUNDS = [
  1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864,
] as const
export const DURATION_BOUNDS = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
] as const
export const FIRST_TOKEN_BOUNDS = [
  0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
] as const
export const TOKEN_TIME_BOUNDS = [
  0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5,
] as const
