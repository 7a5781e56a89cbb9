import { z } from 'zod'
import { failureSchema, successSchema, wordSchemas } from './envelope.ts'
import type { FileType, RouteDefinition } from './route.ts'

/** An OpenAPI 3.1 document as plain data. */
export type OpenApiDocument = Readonly<Record<string, unknown>>

export function openApiDocument(
  routes: readonly RouteDefinition[],
  info: { version: string },
): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tollgate admin API',
      version: info.version,
      description:
        'Answers are `{success, message, data}`. A refused call is HTTP 200 with `success: false` unless noted. ' +
        'Calls with a session carry the user id in the header `Tollgate-User`; with an access token it may be left out.',
    },
    paths: pathsOf(routes),
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'session' },
        accessToken: { type: 'http', scheme: 'bearer' },
      },
    },
  }
}

function pathsOf(routes: readonly RouteDefinition[]): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) }
  }
  return paths
}

function operationOf(route: RouteDefinition): Record<string, unknown> {
  return {
    summary: route.summary,
    operationId: operationIdOf(route),
    tags: [route.path.split('/')[2]],
    description: `Access: ${route.access}. Owner rule: ${route.owner}. Rate class: ${route.rate}.${signInText(route)}`,
    parameters: [
      ...parametersOf('path', route.params),
      ...parametersOf('query', route.query),
      ...(route.access === 'public' ? [] : [userHeader]),
      ...(route.isRepeatable ? [operationHeader] : []),
    ],
    ...bodyOf(route),
    ...(route.access !== 'public' && { security: [{ session: [] }, { accessToken: [] }] }),
    responses: { '200': { description: 'The answer, or a refusal', content: answerOf(route) } },
  }
}

/** Describes which recent sign-in a route requires; "" if an access token is enough. */
function signInText({ signIn, guardedWhen, shownWhen }: RouteDefinition): string {
  const always = signIn === 'any' ? '' : ` Needs a ${signIn} sign-in.`
  const shown = shownWhen
    ? ` Shows keys after a ${shownWhen.signIn} sign-in when ${shownWhen.condition}.`
    : ''
  if (!guardedWhen) return always + shown
  const secret = guardedWhen.orSecretAgain ? ', or the secret again,' : ''
  return `${always} Needs a ${guardedWhen.signIn} sign-in${secret} when ${guardedWhen.condition}.${shown}`
}

function answerOf({ envelope, files, data, extra }: RouteDefinition): unknown {
  if (files) return fileContent(files)
  if (envelope === 'text') return { 'text/plain': { schema: schemaOf(data, 'output') } }
  const [success, failure] =
    envelope === 'message' ? wordSchemas(data, extra) : [successSchema(data, extra), failureSchema]
  return jsonContent({ oneOf: [schemaOf(success, 'output'), schemaOf(failure, 'output')] })
}

function operationIdOf(route: RouteDefinition): string {
  const words = route.path.replace(/^\/api\//, '').split(/[/:_-]+/)
  return (
    route.method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  )
}

const userHeader = {
  name: 'Tollgate-User',
  in: 'header',
  required: false,
  description: 'Id of the signed-in user; needed with a session',
  schema: { type: 'integer' },
}

const operationHeader = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Names the operation: sent again within an hour, it is answered as before and not done a second time',
  schema: { type: 'string' },
}

function parametersOf(place: 'path' | 'query', schema: z.ZodType): readonly unknown[] {
  const { properties, required } = objectPartsOf(schemaOf(schema, 'input'))
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.has(name),
    schema: property,
  }))
}

function objectPartsOf(schema: Readonly<Record<string, unknown>>): {
  properties: Readonly<Record<string, unknown>>
  required: ReadonlySet<unknown>
} {
  const { properties, required } = schema
  return {
    properties: typeof properties === 'object' && properties !== null ? { ...properties } : {},
    required: new Set(Array.isArray(required) ? required : []),
  }
}

function bodyOf(route: RouteDefinition): Record<string, unknown> {
  const schema = schemaOf(route.body, 'input')
  if (route.method === 'GET' || Object.keys(objectPartsOf(schema).properties).length === 0) return {}
  return { requestBody: { required: true, content: jsonContent(schema) } }
}

function fileContent(types: readonly FileType[]): unknown {
  const files = types.map((type) => [type, { schema: { type: 'string' } }])
  return {
    ...Object.fromEntries(files),
    'application/json': { schema: schemaOf(failureSchema, 'output') },
  }
}

function jsonContent(schema: unknown): unknown {
  return { 'application/json': { schema } }
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _version, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
  })
  return rest
}
