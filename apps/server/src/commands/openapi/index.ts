import { openApiDocument } from '@tollgate/contract/openapi'
import { allRoutes } from '@tollgate/contract/routes'
import { version } from '../../version.ts'

// Prints the OpenAPI document of the admin API: `npm run -s openapi > openapi.json`.
process.stdout.write(`${JSON.stringify(openApiDocument(allRoutes, { version }), undefined, 2)}\n`)
