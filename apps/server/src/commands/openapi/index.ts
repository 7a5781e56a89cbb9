import { openApiDocument } from '@tollgate/contract/openapi'
import { allRoutes } from '@tollgate/contract/routes'
import { version } from '../../version.ts'
import { defineCommand } from '../command.ts'

export const command = defineCommand({
  help: `tollgate openapi > openapi.json

Prints the OpenAPI document of the admin API.

`,
  options: {},
  run: async () => {
    const document = openApiDocument(allRoutes, { version })
    return { code: 0, lines: [JSON.stringify(document, undefined, 2)], json: document }
  },
})
