import { sessionRoutes } from '@tollgate/contract/session'
import { type BoundRoute, bind } from '../handler.ts'
import { humansOnly } from '../human-check/human-check.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { type RegisterServices, register } from './register.ts'

export function sessionHandlers(services: RegisterServices): readonly BoundRoute[] {
  return [
    bind(sessionRoutes.login, humansOnly(services, 'login', login(services))),
    bind(sessionRoutes.logout, logout()),
    bind(sessionRoutes.register, humansOnly(services, 'register', register(services))),
  ]
}
