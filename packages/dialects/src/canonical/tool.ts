import type { JsonObject } from '../json.ts'
import type { CacheMarker } from './part.ts'
import type { PropertyNames } from './property-names.ts'
import type { Raw } from './raw.ts'

export type Tool = FunctionTool | CustomTool | BuiltinTool

/** A group of tools. Tools in two groups may have the same name. Only Responses has namespaces. */
export interface ToolNamespace {
  readonly name: string
  readonly description?: string
}

export interface FunctionTool {
  readonly type: 'function'
  readonly name: string
  readonly namespace?: ToolNamespace
  /**
   * Marks a tool that finds further tools, which the caller then adds to the conversation. Responses has its
   * own tool type for this.
   */
  readonly isToolSearch?: true
  readonly description?: string
  /** JSON schema of the arguments, with all its members. Absent: the tool takes no arguments. */
  readonly parameters?: JsonObject
  /** The tool's own names of arguments, by those that were shortened for the upstream. */
  readonly propertyNames?: PropertyNames
  /** The arguments must follow the schema exactly. */
  readonly isStrict?: boolean
  readonly cache?: CacheMarker
  readonly extras?: Raw<JsonObject>
}

/** A tool that takes free text instead of JSON. */
export interface CustomTool {
  readonly type: 'custom'
  readonly name: string
  readonly namespace?: ToolNamespace
  readonly description?: string
  readonly format?: TextGrammar
}

/** Grammar that the text must follow. */
export interface TextGrammar {
  readonly syntax: 'lark' | 'regex'
  readonly definition: string
}

/**
 * A tool that the vendor runs. `kind` names the tools that more than one vendor has; a tool of kind `other`
 * is only sent to its own dialect.
 */
export interface BuiltinTool {
  readonly type: 'builtin'
  readonly kind: 'web-search' | 'code-execution' | 'web-fetch' | 'tool-search' | 'other'
  readonly search?: SearchOptions
  /** The tool as it was defined. */
  readonly raw: Raw<JsonObject>
}

export interface SearchOptions {
  readonly contextSize?: 'low' | 'medium' | 'high'
  readonly usesMax?: number
  readonly allowedDomains?: readonly string[]
  readonly blockedDomains?: readonly string[]
  readonly location?: Readonly<Partial<Record<'city' | 'region' | 'country' | 'timezone', string>>>
}

export type ToolChoice =
  | { readonly type: 'auto' }
  | { readonly type: 'none' }
  /** The model must call some tool. */
  | { readonly type: 'required' }
  | { readonly type: 'tool'; readonly name: string; readonly namespace?: string }
  /** The model may call only these tools, or must call one of them. */
  | { readonly type: 'allowed'; readonly names: readonly string[]; readonly isRequired: boolean }
  /** A value of one dialect that no other dialect can express. */
  | { readonly type: 'other'; readonly raw: Raw }
