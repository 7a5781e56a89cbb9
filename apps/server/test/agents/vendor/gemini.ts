import { type Json, objectOf, objectsOf, parseJson, textOf } from './json.ts'
import {
  dataFrame,
  inPieces,
  type OfferedTool,
  refused,
  type Refusal,
  unknownMember,
} from './vendor-dialect.ts'
import type { VendorAnswer, VendorDialect } from './vendor-dialect.ts'

/** Gemini 3, which signs its function calls and requires the signatures back. */
export const geminiDialect: VendorDialect = {
  name: 'gemini',
  matches: (path) => /:(?:generate|streamGenerate)Content$/.test(path),
  read: ({ path, body }) => ({
    model: /models\/([^:]+):/.exec(path)?.[1] ?? '',
    isStream: path.includes(':streamGenerateContent'),
    tools: functionsOf(body).map((tool): OfferedTool => ({
      name: textOf(tool['name']),
      kind: 'function',
      schema: objectOf(tool['parametersJsonSchema'] ?? tool['parameters']),
    })),
    results: partsOf(body).flatMap(({ functionResponse }) =>
      functionResponse === undefined ? [] : [JSON.stringify(objectOf(functionResponse)['response'])],
    ),
    pieces: [body['tools'], body['systemInstruction'], ...objectsOf(body['contents'])].map((piece) =>
      JSON.stringify(piece ?? null),
    ),
    wantsThinking: objectOf(configOf(body)['thinkingConfig'])['includeThoughts'] === true,
    ...schemaOf(body),
  }),
  refuse: ({ body }) => refuseMembers(body) ?? refuseTools(body) ?? refuseTurns(objectsOf(body['contents'])),
  stream: (answer) => frames(answer),
  whole: (answer) => chunkOf(answer, partsOfAnswer(answer), true),
  error: ({ status, message }) => ({
    error: { code: status, message, status: status === 429 ? 'RESOURCE_EXHAUSTED' : 'INVALID_ARGUMENT' },
  }),
}

const SIGNED = 'signed-by-gemini-'
/**
 * Gemini's documented placeholders for a lost signature.
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
const LOST: ReadonlySet<string> = new Set([
  'skip_thought_signature_validator',
  'context_engineering_is_the_way_to_go',
])
const MEMBERS: ReadonlySet<string> = new Set([
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'generationConfig',
  'safetySettings',
  'cachedContent',
  'labels',
  'store',
  'serviceTier',
  'model',
])
const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/
/** `parameters` takes a subset of OpenAPI 3.0; `parametersJsonSchema` takes JSON Schema. */
const SCHEMA_MEMBERS: ReadonlySet<string> = new Set([
  'type',
  'format',
  'title',
  'description',
  'nullable',
  'enum',
  'items',
  'maxItems',
  'minItems',
  'properties',
  'required',
  'minProperties',
  'maxProperties',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
  'example',
  'anyOf',
  'propertyOrdering',
  'default',
])

function configOf(body: Json): Json {
  return objectOf(body['generationConfig'])
}

function functionsOf(body: Json): readonly Json[] {
  return objectsOf(body['tools']).flatMap((tool) => objectsOf(tool['functionDeclarations']))
}

function partsOf(body: Json): readonly Json[] {
  return objectsOf(body['contents']).flatMap(({ parts }) => objectsOf(parts))
}

function schemaOf(body: Json): { schema?: Json } {
  const config = configOf(body)
  if (config['responseMimeType'] !== 'application/json') return {}
  return { schema: objectOf(config['responseJsonSchema'] ?? config['responseSchema']) }
}

function refuseMembers(body: Json): Refusal | undefined {
  const stray = unknownMember(body, MEMBERS)
  if (stray !== undefined)
    return refused(`Invalid JSON payload received. Unknown name "${stray}": Cannot find field.`)
  const { thinkingLevel } = objectOf(configOf(body)['thinkingConfig'])
  if (/^minimal$/i.test(textOf(thinkingLevel)))
    return refused('Thinking level MINIMAL is not supported for this model.')
  return undefined
}

function refuseTools(body: Json): Refusal | undefined {
  const functions = functionsOf(body)
  const odd = functions.find(({ name }) => !NAME.test(textOf(name)))
  if (odd) return refused(`Invalid function name: ${textOf(odd['name'])}.`)
  const strange = functions.map((tool) => strangeMember(objectOf(tool['parameters']))).find(Boolean)
  if (strange !== undefined)
    return refused(
      `Invalid JSON payload received. Unknown name "${strange}" at 'tools[0]': Cannot find field.`,
    )
  const hasSearch = objectsOf(body['tools']).some((tool) => tool['googleSearch'] !== undefined)
  if (
    hasSearch &&
    functions.length > 0 &&
    objectOf(body['toolConfig'])['includeServerSideToolInvocations'] !== true
  )
    return refused(
      'Please enable tool_config.include_server_side_tool_invocations to use Built-in tools with Function calling.',
    )
  return undefined
}

function strangeMember(schema: Json): string | undefined {
  const stray = unknownMember(schema, SCHEMA_MEMBERS)
  if (stray !== undefined) return stray
  const inner = [
    ...Object.values(objectOf(schema['properties'])),
    ...objectsOf(schema['anyOf']),
    ...(schema['items'] === undefined ? [] : [schema['items']]),
  ]
  return inner.map((each) => strangeMember(objectOf(each))).find(Boolean)
}

function refuseTurns(contents: readonly Json[]): Refusal | undefined {
  let open: readonly string[] = []
  for (const { role, parts } of contents) {
    if (role !== undefined && role !== 'user' && role !== 'model')
      return refused('Please use a valid role: user, model.')
    const all = objectsOf(parts)
    if (all.length === 0) return refused('contents.parts must not be empty.')
    const answered = namesOf(all, 'functionResponse')
    if (open.join() !== answered.join() && (open.length > 0 || answered.length > 0))
      return refused(
        'Please ensure that the number of function response parts is equal to the number of function call parts.',
      )
    open = namesOf(all, 'functionCall')
    const first = all.find(({ functionCall }) => functionCall !== undefined)
    if (first && !isSigned(textOf(first['thoughtSignature'])))
      return refused(`Function call is missing a thought_signature in functionCall parts: ${open.join()}`)
  }
  return open.length > 0
    ? refused('Please ensure that function call turn is followed by its responses.')
    : undefined
}

function namesOf(parts: readonly Json[], member: string): readonly string[] {
  return parts
    .flatMap((part) => (part[member] === undefined ? [] : [textOf(objectOf(part[member])['name'])]))
    .toSorted()
}

function isSigned(signature: string): boolean {
  return LOST.has(signature) || Buffer.from(signature, 'base64').toString().startsWith(SIGNED)
}

function partsOfAnswer({ id, thinking, text, calls }: VendorAnswer): readonly Json[] {
  const thoughtSignature = Buffer.from(`${SIGNED}${id}`).toString('base64')
  return [
    ...inPieces(thinking ?? '').map((piece) => ({ text: piece, thought: true })),
    ...inPieces(text ?? '').map((piece) => ({ text: piece })),
    ...calls.map(({ tool, input }, index) => ({
      functionCall: { name: tool.name, args: objectOf(parseJson(input)) },
      // Of parallel calls only the first is signed.
      ...(index === 0 && { thoughtSignature }),
    })),
  ]
}

function chunkOf({ id, model, usage }: VendorAnswer, parts: readonly Json[], isLast: boolean): Json {
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite
  return {
    candidates: [{ index: 0, content: { role: 'model', parts }, ...(isLast && { finishReason: 'STOP' }) }],
    usageMetadata: {
      promptTokenCount: prompt,
      cachedContentTokenCount: usage.cacheRead,
      candidatesTokenCount: usage.output - usage.reasoning,
      thoughtsTokenCount: usage.reasoning,
      totalTokenCount: prompt + usage.output,
    },
    modelVersion: model,
    responseId: id,
  }
}

function frames(answer: VendorAnswer): readonly string[] {
  const parts = partsOfAnswer(answer)
  return parts.map((part, index) => dataFrame(chunkOf(answer, [part], index === parts.length - 1)))
}
