import { statusRoutes } from '@tollgate/contract/status'
import { problem } from '@tollgate/problems/problem'
import { isSetUp } from '@tollgate/store/accounts/setup'
import { type BoundRoute, type Handler, Answer, bind } from '../handler.ts'
import { checkUpdate } from './check-update.ts'
import { type StatusServices, getStatus } from './read.ts'

export function statusHandlers(services: StatusServices): readonly BoundRoute[] {
  const { options } = services
  return [
    bind(statusRoutes.read, getStatus(services)),
    bind(statusRoutes.probe, probeDatabase(services)),
    bind(statusRoutes.checkUpdate, checkUpdate(services)),
    bind(statusRoutes.notice, () => Promise.resolve(options.get('Notice'))),
    bind(statusRoutes.about, () => Promise.resolve(options.get('About'))),
    bind(statusRoutes.home, () => Promise.resolve(options.get('HomePageContent'))),
  ]
}

function probeDatabase({ store }: StatusServices): Handler<typeof statusRoutes.probe> {
  return async () => {
    await isSetUp(store).catch((cause: unknown) => {
      throw problem('database_unreachable', {}, { cause })
    })
    return new Answer({ data: null, message: 'Server is running' })
  }
}
