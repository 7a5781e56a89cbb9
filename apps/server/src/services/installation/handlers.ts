import { type InstallationState, installationRoutes } from '@tollgate/contract/installation'
import type { Db } from '@tollgate/store/tables/schema'
import { type BoundRoute, type Handler, bind } from '../handler.ts'
import type { Services } from '../services.ts'

/** What the handlers need of the installation; see `app/installation.ts`. */
export interface InstallationPort {
  readonly copy: { readonly cause: InstallationState['cause']; readonly sinceMs: number } | undefined
  confirm(transaction: Db): Promise<boolean>
  readAgain(): Promise<void>
}

export interface InstallationServices extends Pick<Services, 'change'> {
  readonly installation: InstallationPort
}

export function bindInstallationRoutes(services: InstallationServices): readonly BoundRoute[] {
  const { installation } = services
  return [
    bind(installationRoutes.read, async () => {
      await installation.readAgain()
      return describe(installation)
    }),
    bind(installationRoutes.confirm, confirmCopy(services)),
  ]
}

function confirmCopy({
  change,
  installation,
}: InstallationServices): Handler<typeof installationRoutes.confirm> {
  return async (call) => {
    const before = describe(installation)
    await change(call, {
      action: 'confirm',
      entity: 'installation',
      work: (transaction) => installation.confirm(transaction),
      row: (isChanged) => (isChanged ? { entityId: '', before } : undefined),
    })
    await installation.readAgain()
    return describe(installation)
  }
}

function describe({ copy }: InstallationPort): InstallationState {
  return {
    is_confirmed: copy === undefined,
    cause: copy?.cause ?? '',
    since_time: Math.floor((copy?.sinceMs ?? 0) / 1000),
  }
}
