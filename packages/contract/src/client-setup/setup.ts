/**
 * How a client is configured to use this gateway. The Connect page shows these blocks, the guides contain
 * them, and the tests with real agents configure the agents with them.
 */
export interface ClientSetup {
  readonly id: ClientId
  /** Name of the product, the same in every language. */
  readonly label: string
  readonly kind: 'agent' | 'app' | 'library'
  /** A token may limit models, but every client can use every chat model: the gateway converts. */
  readonly prefers: ModelPreference
  /** At least one. The first is what most people want. */
  readonly variants: readonly SetupVariant[]
}

export type ClientId =
  | 'claude-code'
  | 'codex'
  | 'gemini-cli'
  | 'opencode'
  | 'qwen-code'
  | 'cursor'
  | 'cline'
  | 'cherry-studio'
  | 'openai-sdk'
  | 'anthropic-sdk'
  | 'google-sdk'
  | 'langchain'
  | 'curl'

/** The beginning of model names that suit the client best; it is only used to suggest one. */
export type ModelPreference = 'claude' | 'gpt' | 'gemini' | 'qwen' | 'any'

export type Dialect = 'chat' | 'responses' | 'messages' | 'gemini'

export interface SetupVariant {
  readonly id: string
  /** A file name, a language or a protocol, so it needs no translation. */
  readonly label: string
  /** The wire format of the calls. */
  readonly dialect: Dialect
  readonly blocks: (values: SetupValues) => readonly SetupBlock[]
}

export interface SetupValues {
  /** Of this gateway, without a trailing slash. */
  readonly address: string
  /** With its `sk-`. */
  readonly key: string
  readonly model: string
}

export type SetupBlock =
  | { readonly type: 'environment'; readonly variables: Readonly<Record<string, string>> }
  | {
      readonly type: 'file'
      readonly path: string
      readonly language: 'json' | 'toml'
      readonly text: string
    }
  | {
      readonly type: 'code'
      readonly language: 'sh' | 'python' | 'typescript'
      readonly text: string
      /** The command that installs what the code imports. */
      readonly install?: string
    }
  /** Values to type into the settings of a program with windows, by the names they have there. */
  | { readonly type: 'fields'; readonly place: string; readonly fields: readonly SetupField[] }

export interface SetupField {
  readonly name: string
  readonly value: string
}

/** Name of the variable that holds the key where the client lets us choose it. */
export const KEY_VARIABLE = 'GATEWAY_API_KEY'

/** Stands for the key until the owner asks for it. */
export const HIDDEN_KEY = 'sk-…'
