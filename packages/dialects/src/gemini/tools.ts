import { ownValue } from '@tollgate/kit/own-value'
import type { BuiltinTool, FunctionTool, Tool, ToolChoice } from '../canonical/tool.ts'
import { rawFor } from '../canonical/raw.ts'
import { isRecord, type JsonObject } from '../json.ts'
import { recordOf, recordsOf, restOf, textOf, textsOf } from './members.ts'
import { readSchema, writeSchema } from './schema.ts'

const kinds: Readonly<Record<string, BuiltinTool['kind']>> = {
  googleSearch: 'web-search',
  google_search: 'web-search',
  googleSearchRetrieval: 'web-search',
  google_search_retrieval: 'web-search',
  codeExecution: 'code-execution',
  code_execution: 'code-execution',
  urlContext: 'web-fetch',
  url_context: 'web-fetch',
}

/** One entry of `tools` may declare functions and enable several built-in tools at once. */
export function readTools(body: JsonObject): Tool[] {
  return recordsOf(body, 'tools').flatMap((entry) => [
    ...recordsOf(entry, 'functionDeclarations').map(readFunction),
    ...Object.entries(restOf(entry, ['functionDeclarations']) ?? {}).map(([name, value]) =>
      builtin(name, value),
    ),
  ])
}

function readFunction(declaration: JsonObject): FunctionTool {
  const own = recordOf(declaration, 'parameters')
  const rest = restOf(declaration, ['name', 'description', 'parameters', 'parametersJsonSchema'])
  return {
    type: 'function',
    name: textOf(declaration, 'name') ?? '',
    description: textOf(declaration, 'description'),
    parameters: recordOf(declaration, 'parametersJsonSchema') ?? (own && readSchema(own)),
    extras: rest && { dialect: 'gemini' as const, value: rest },
  }
}

function builtin(name: string, value: unknown): BuiltinTool {
  const kind = ownValue(kinds, name) ?? 'other'
  return { type: 'builtin', kind, raw: { dialect: 'gemini', value: { [name]: value } } }
}

const ownNames: Readonly<Partial<Record<BuiltinTool['kind'], string>>> = {
  'web-search': 'googleSearch',
  'code-execution': 'codeExecution',
  'web-fetch': 'urlContext',
}

/** Writes all functions into one entry, and each built-in tool into an entry of its own. */
export function writeTools(tools: readonly Tool[]): Record<string, unknown>[] {
  const declarations = tools.filter((tool) => tool.type === 'function').map(writeFunction)
  const builtins = tools.filter((tool) => tool.type === 'builtin').flatMap(writeBuiltin)
  return [...(declarations.length > 0 ? [{ functionDeclarations: declarations }] : []), ...builtins]
}

function writeFunction({
  name,
  description,
  parameters = {},
  extras,
}: FunctionTool): Record<string, unknown> {
  const schema = writeSchema(parameters)
  const hasParameters = isRecord(schema['properties']) || Array.isArray(schema['anyOf'])
  return {
    name,
    description,
    parameters: hasParameters ? schema : undefined,
    ...rawFor(extras, 'gemini'),
  }
}

function writeBuiltin({ kind, raw }: BuiltinTool): Record<string, unknown>[] {
  if (raw.dialect === 'gemini') return [{ ...raw.value }]
  const name = ownNames[kind]
  return name === undefined ? [] : [{ [name]: {} }]
}

export function readToolChoice(config: JsonObject | undefined): ToolChoice | undefined {
  if (config === undefined) return undefined
  const mode = textOf(config, 'mode')?.toUpperCase()
  const names = textsOf(config, 'allowedFunctionNames')
  const [name] = names
  if (mode === 'NONE') return { type: 'none' }
  if (mode === 'ANY') {
    if (name === undefined) return { type: 'required' }
    return names.length === 1 ? { type: 'tool', name } : { type: 'allowed', names, isRequired: true }
  }
  if (name !== undefined) return { type: 'allowed', names, isRequired: false }
  return mode === undefined || mode === 'MODE_UNSPECIFIED' ? undefined : { type: 'auto' }
}

export function writeToolChoice(choice: ToolChoice): Record<string, unknown> | undefined {
  if (choice.type === 'auto') return { mode: 'AUTO' }
  if (choice.type === 'none') return { mode: 'NONE' }
  if (choice.type === 'required') return { mode: 'ANY' }
  if (choice.type === 'tool') return { mode: 'ANY', allowedFunctionNames: [choice.name] }
  if (choice.type === 'allowed')
    return { mode: choice.isRequired ? 'ANY' : 'VALIDATED', allowedFunctionNames: [...choice.names] }
  return undefined
}
