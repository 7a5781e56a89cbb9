import { statementRoutes } from '@tollgate/contract/statement'
import { type BoundRoute, bind } from '../handler.ts'
import { type StatementServices, exportStatement, readStatement } from './read.ts'

export function statementHandlers(services: StatementServices): readonly BoundRoute[] {
  return [
    bind(statementRoutes.read, readStatement(services)),
    bind(statementRoutes.csv, exportStatement(services)),
  ]
}
