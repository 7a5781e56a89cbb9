import { foldName } from '@tollgate/kit/fold-name'
import { isRecord } from '@tollgate/kit/json'
import type { MemberSource } from '../members/member-row.ts'
import {
  ANTHROPIC_TOOLS,
  GEMINI_GENERATE,
  MOONSHOT_CHAT,
  OPENAI_TOOLS,
  OPENROUTER_PLUGINS,
  XAI_CHAT,
  ZHIPU_CHAT,
} from '../members/member-sources.ts'
import type { FeeVendor } from './fee-row.ts'
import { listFeeRows } from './fee-rows.ts'
import { listFeeVendors } from './fee-vendors.ts'
import { isToolType } from './request-fees.ts'

/** Tools of a vendor that cost nothing beside tokens, or that the caller runs. */
interface FreeTools {
  readonly vendor: FeeVendor
  /** Types of tools, also with a date behind them, or members of a tool in Gemini requests. */
  readonly names: readonly string[]
  readonly source: MemberSource
}

export const freeTools: readonly FreeTools[] = [
  {
    vendor: 'openai',
    names: `mcp shell local_shell apply_patch computer computer_use computer_use_preview tool_search namespace
      retrieval programmatic_tool_calling`.split(/\s+/),
    source: OPENAI_TOOLS,
  },
  {
    vendor: 'anthropic',
    names: `web_fetch bash text_editor memory computer advisor mcp_toolset tool_search_tool_regex
      tool_search_tool_bm25`.split(/\s+/),
    source: ANTHROPIC_TOOLS,
  },
  {
    vendor: 'google',
    names: 'functionDeclarations urlContext codeExecution computerUse fileSearch retrieval'.split(' '),
    source: GEMINI_GENERATE,
  },
  { vendor: 'xai', names: ['mcp', 'shell', 'local_shell', 'apply_patch', 'namespace'], source: XAI_CHAT },
  {
    vendor: 'openrouter',
    names: ['openrouter:web_fetch', 'openrouter:datetime', 'mcp'],
    source: OPENROUTER_PLUGINS,
  },
  { vendor: 'moonshot', names: ['builtin_function', 'plugin'], source: MOONSHOT_CHAT },
  { vendor: 'zhipu', names: ['retrieval', 'mcp', 'web_browser', 'code_interpreter'], source: ZHIPU_CHAT },
]

/** Types of every vendor's API for functions that the caller runs. */
const OWN_FUNCTIONS = new Set(['function', 'custom'])
const NAME_CHARACTERS_MAX = 64

type Tool = Readonly<Record<string, unknown>>

/**
 * The name of a tool that the vendor of a provider would run, and that none of its rows knows: nobody knows what it
 * costs. On self-hosted servers every tool is the caller's function.
 */
export function findUnknownTool(provider: string, tool: Tool): string | undefined {
  const vendors = listFeeVendors(provider)
  if (vendors.length === 0) return undefined
  const names = listToolNames(tool, vendors)
  const unknown = names.find((name) => !isKnownTool(provider, vendors, name))
  return unknown?.slice(0, NAME_CHARACTERS_MAX).replaceAll(/[^\x21-\x7e]/g, '?')
}

/** A tool without a type is a function, except in Gemini requests, where each member is a tool. */
function listToolNames(tool: Tool, vendors: readonly FeeVendor[]): readonly string[] {
  const { type } = tool
  if (typeof type === 'string') return OWN_FUNCTIONS.has(type) ? [] : [type]
  const isGoogle = vendors.includes('google') && !('name' in tool) && !('function' in tool)
  return isGoogle ? Object.keys(tool).filter((name) => isRecord(tool[name])) : []
}

function isKnownTool(provider: string, vendors: readonly FeeVendor[], name: string): boolean {
  const folded = foldName(name)
  const isPaid = listFeeRows(provider).some(({ requests }) =>
    requests.some((request) =>
      request.type === 'tool-member'
        ? foldName(request.name) === folded
        : (request.type === 'tool' || request.type === 'hosted-tool') && isToolType(name, request.name),
    ),
  )
  return (
    isPaid ||
    freeTools.some(
      ({ vendor, names }) =>
        vendors.includes(vendor) && names.some((free) => isToolType(name, free) || foldName(free) === folded),
    )
  )
}
