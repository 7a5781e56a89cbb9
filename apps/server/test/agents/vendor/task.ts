import type { Json } from './json.ts'
import { objectOf, textOf } from './json.ts'
import type { OfferedTool, VendorRequest } from './vendor-dialect.ts'

/** The task every agent is given: read two files in parallel, run a command, write a file, finish. */
export const task = {
  prompt: 'Read alpha.txt and beta.txt, run the command, and write result.txt.',
  files: {
    'alpha.txt': 'first line\nALPHA-5f31c0\nlast line\n',
    'beta.txt': 'first line\nBETA-9be274\nlast line\n',
  },
  /**
   * The hexadecimal number is printed as 42, so that an echo of the command line is not mistaken for its
   * output.
   */
  command: "printf 'COMMAND-%d' 0x2a",
  /** Markers that the tool results must have brought to the vendor. */
  found: ['ALPHA-5f31c0', 'BETA-9be274', 'COMMAND-42'],
  written: 'result.txt',
  ending: 'TASK-DONE: everything is written.',
} as const

const FOUND = /ALPHA-[0-9a-f]{6}|BETA-[0-9a-f]{6}|COMMAND-\d+/g

/** Characters that are easily damaged by escapes, shells and encodings. */
export function resultText(found: readonly string[]): string {
  return `${found.join(' ')}\nZürich — 東京 🚦 "quoted" 'single' back\\slash $HOME \`tick\`\n\tindented %s {{braces}}\n`
}

export interface PlannedCall {
  readonly tool: OfferedTool
  readonly input: string
}

export type AgentStep = 'reads' | 'command' | 'rounds' | 'write' | 'end'

/** After this many results the task is ended, so that an agent that makes no progress stops. */
const RESULTS_MAX = 12

/**
 * Finds the current step from the tool results in the conversation. A call whose stream broke off has no
 * result, so its step is repeated.
 */
export function stepOf({ results }: Pick<VendorRequest, 'results'>, rounds = 0): AgentStep {
  const [alpha, beta, command] = task.found.map((mark) =>
    results.findIndex((result) => result.includes(mark)),
  )
  if (results.length > RESULTS_MAX + rounds) return 'end'
  if (alpha === -1 || beta === -1) return 'reads'
  if (command === -1) return 'command'
  if (roundsIn(results) < rounds) return 'rounds'
  const last = Math.max(command ?? -1, results.findLastIndex(isRound))
  return last === results.length - 1 ? 'write' : 'end'
}

/** Only the agent's main conversation offers work tools; requests for titles and summaries have none. */
export function isTask({ tools }: VendorRequest): boolean {
  return shellOf(tools) !== undefined
}

/**
 * The tool calls the vendor makes next; none at the end of the task, or for an agent without a shell tool.
 */
export function callsOf(request: VendorRequest, { folder, rounds = 0 }: TaskScript): readonly PlannedCall[] {
  const { tools } = request
  const shell = shellOf(tools)
  if (shell === undefined) return []
  const step = stepOf(request, rounds)
  if (step === 'end') return []
  if (step === 'command') return [shellCall(shell, task.command)]
  if (step === 'rounds') return [shellCall(shell, `printf 'ROUND-%d' ${roundsIn(request.results) + 1}`)]
  if (step === 'write')
    return [writeCall(tools, shell, { folder, text: resultText(foundIn(request.results)) })]
  const reader = tools.find(isReader)
  return Object.keys(task.files).map((name) =>
    reader
      ? {
          tool: reader,
          input: JSON.stringify({ ...required(reader.schema), [pathOf(reader)]: `${folder}/${name}` }),
        }
      : shellCall(shell, `cat ${name}`),
  )
}

export interface TaskScript {
  readonly folder: string
  /** How many more commands the agent has to run, one after the other, for a long session. */
  readonly rounds?: number
}

const ROUND = /ROUND-\d+/

function isRound(result: string): boolean {
  return ROUND.test(result)
}

/** How many rounds the conversation has the results of. */
export function roundOf({ results }: Pick<VendorRequest, 'results'>): number {
  return roundsIn(results)
}

/** The results of the same command with different numbers, which an agent may repeat in one result. */
function roundsIn(results: readonly string[]): number {
  const numbers = results.flatMap((result) => result.match(/ROUND-\d+/g) ?? [])
  return new Set(numbers).size
}

function foundIn(results: readonly string[]): readonly string[] {
  const found = results.flatMap((result) => result.match(FOUND) ?? [])
  return task.found.filter((mark) => found.includes(mark))
}

function propertiesOf(tool: OfferedTool): Json {
  return objectOf(tool.schema['properties'])
}

const PATHS = ['file_path', 'filePath', 'absolute_path', 'path'] as const
/** A gateway may put a namespace before the tool name. */
const SHELL = /(?:^|__)(?:bash|shell|shell_command|exec_command|run_commands|run_shell_command|exec)$/i
/** Members that take a command. `input` takes a script instead, which itself calls the command tool. */
const COMMANDS = ['command', 'cmd', 'commands', 'input'] as const

function pathOf(tool: OfferedTool): string {
  return PATHS.find((name) => name in propertiesOf(tool)) ?? ''
}

function isReader(tool: OfferedTool): boolean {
  return /^read(?:_file)?$/i.test(tool.name) && pathOf(tool) !== ''
}

function isWriter(tool: OfferedTool): boolean {
  return /^write(?:_file)?$/i.test(tool.name) && pathOf(tool) !== '' && 'content' in propertiesOf(tool)
}

function shellOf(tools: readonly OfferedTool[]): OfferedTool | undefined {
  return tools.find((tool) => SHELL.test(tool.name) && (isScript(tool) || commandOf(tool) !== undefined))
}

function commandOf(tool: OfferedTool): string | undefined {
  return COMMANDS.find((name) => name in propertiesOf(tool))
}

function isScript(tool: OfferedTool): boolean {
  return tool.kind === 'custom' || commandOf(tool) === 'input'
}

function shellCall(tool: OfferedTool, command: string): PlannedCall {
  const script = `text(await tools.exec_command({ cmd: ${JSON.stringify(command)} }))`
  if (tool.kind === 'custom') return { tool, input: script }
  const member = commandOf(tool) ?? ''
  const isList = objectOf(propertiesOf(tool)[member])['type'] === 'array'
  const words = member === 'commands' ? [command] : ['bash', '-lc', command]
  const value = isScript(tool) ? script : isList ? words : command
  return { tool, input: JSON.stringify({ ...required(tool.schema), [member]: value }) }
}

function writeCall(
  tools: readonly OfferedTool[],
  shell: OfferedTool,
  { folder, text }: { folder: string; text: string },
): PlannedCall {
  const writer = tools.find(isWriter)
  if (writer) {
    const members = { [pathOf(writer)]: `${folder}/${task.written}`, content: text }
    return { tool: writer, input: JSON.stringify({ ...required(writer.schema), ...members }) }
  }
  const patcher = tools.find(({ name }) => /(?:^|__)apply_patch$/.test(name))
  if (patcher) {
    const lines = text.slice(0, -1).split('\n')
    const patch = [
      '*** Begin Patch',
      `*** Add File: ${task.written}`,
      ...lines.map((line) => `+${line}`),
      '*** End Patch',
    ]
    const input = patch.join('\n')
    const [member = 'input'] = Object.keys(required(patcher.schema))
    return { tool: patcher, input: patcher.kind === 'custom' ? input : JSON.stringify({ [member]: input }) }
  }
  return shellCall(shell, `cat > ${task.written} <<'END-OF-FILE'\n${text}END-OF-FILE`)
}

/** Sample values for the members that the schema requires and the step does not set. */
function required(schema: Json): Json {
  const names = Array.isArray(schema['required']) ? schema['required'].map(textOf) : []
  const properties = objectOf(schema['properties'])
  return Object.fromEntries(names.map((name) => [name, sampleOf(objectOf(properties[name]))]))
}

/** A value that satisfies the schema, considering types and enumerations only. */
export function sampleOf(schema: Json): unknown {
  const options = schema['enum']
  if (Array.isArray(options)) return options[0]
  const type = Array.isArray(schema['type']) ? textOf(schema['type'][0]) : textOf(schema['type'])
  const simple: Readonly<Record<string, unknown>> = {
    string: 'task',
    number: 1,
    integer: 1,
    boolean: false,
    array: [],
  }
  const kind = type.toLowerCase()
  return kind in simple ? simple[kind] : required(schema)
}
