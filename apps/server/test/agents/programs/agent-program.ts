/** A coding agent as its makers publish it on npm, and how it is pointed at a gateway. */
export interface AgentProgram {
  readonly id: string
  readonly package: string
  /** Name of its command. */
  readonly command: string
  /** Script of the package, below its folder, that puts the program for this machine in place; without it npm suffices. */
  readonly setup?: string
  /** The form of its calls. */
  readonly dialect: 'chat' | 'responses' | 'messages' | 'gemini'
  /** A name that its makers know, and for which it has other tools; channels map it. Default: the vendor's model. */
  readonly model?: string
  /** Files below its home folder, arguments and environment for one task. */
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
