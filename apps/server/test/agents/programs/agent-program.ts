import type { ClientName } from '@tollgate/kit/codes'

/** A coding agent as published on npm, and how it is configured to use a gateway. */
export interface AgentProgram {
  readonly id: string
  readonly package: string
  /** Name of the package's executable. */
  readonly command: string
  /**
   * Install script, relative to the package folder, that puts the binary for this machine in place; absent
   * where `npm install` suffices.
   */
  readonly setup?: string
  /** The wire format of its calls. */
  readonly dialect: 'chat' | 'responses' | 'messages' | 'gemini'
  /**
   * A model name that the agent knows and for which it offers other tools; the channel maps it to the
   * vendor's model. Default: the vendor's model.
   */
  readonly model?: string
  /** Its calls are frames of a WebSocket, so none may be sent over HTTP. */
  readonly usesWebSocket?: boolean
  /** The program's name in the log. */
  readonly client: ClientName
  /** Its requests have nothing by which they could be told to belong together. */
  readonly namesNoSession?: boolean
  /** It ends with an error when a stream breaks off, so that only its bill can be compared then. */
  readonly endsOnBreak?: boolean
  /** Files below the agent's home folder, arguments and environment for one task. */
  start(place: AgentPlace): AgentStart
}

export interface AgentPlace {
  /** The gateway's address. */
  readonly address: string
  readonly key: string
  readonly model: string
  readonly home: string
  readonly folder: string
  readonly prompt: string
}

export interface AgentStart {
  readonly files: Readonly<Record<string, string>>
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}
