import { expect, test } from 'vitest'
import { openApiDocument } from './openapi.ts'
import { allRoutes } from './routes.ts'

test('every route of the table appears once in the document, under a unique name', () => {
  const document = JSON.parse(JSON.stringify(openApiDocument(allRoutes, { version: '1' })))
  const operations = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap((path) =>
    Object.values(path),
  )
  expect(operations).toHaveLength(allRoutes.length)
  expect(new Set(operations.map((operation) => operation.operationId)).size).toBe(allRoutes.length)
})

test('path parameters are described, and bodies have a schema', () => {
  const document = JSON.parse(JSON.stringify(openApiDocument(allRoutes, { version: '1' })))
  expect(document.paths['/api/option'].put.requestBody.content['application/json'].schema.required).toEqual([
    'key',
  ])
  for (const [path, methods] of Object.entries<
    Record<string, { parameters: { in: string; name: string }[] }>
  >(document.paths)) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    for (const operation of Object.values(methods)) {
      expect(operation.parameters.filter((one) => one.in === 'path').map((one) => one.name)).toEqual(inPath)
    }
  }
})
