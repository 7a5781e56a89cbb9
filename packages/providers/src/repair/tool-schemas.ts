import { schemaForms } from '@tollgate/catalogue/limits/schema-forms'
import type { Conversation } from '@tollgate/dialects/canonical/conversation'
import type { DialectName } from '@tollgate/dialects/canonical/raw'
import { normalizeToolSchema } from '@tollgate/dialects/canonical/tool-schema'

/** Gives the schema of every function the form of the target, which is absent for a vendor's own format. */
export function withToolSchemas(conversation: Conversation, target: DialectName | undefined): Conversation {
  if (conversation.tools.length === 0) return conversation
  const demands = schemaForms[target ?? 'own']
  const tools = conversation.tools.map((tool) => {
    if (tool.type !== 'function' || tool.parameters === undefined) return tool
    const parameters = normalizeToolSchema(tool.parameters, demands)
    return JSON.stringify(parameters) === JSON.stringify(tool.parameters) ? tool : { ...tool, parameters }
  })
  const isSame = tools.every((tool, at) => tool === conversation.tools[at])
  return isSame ? conversation : { ...conversation, tools }
}
