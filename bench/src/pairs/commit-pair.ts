import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type RunningGateway, runGateway } from '../targets/gateway.ts'
import type { Upstreams } from '../upstreams.ts'
import type { GatewayPair } from './watched-gateway.ts'

export interface CommitPairInput {
  readonly upstreams: Upstreams
  readonly directory: string
  /** Checkout of the commit that this tree is compared with. */
  readonly commitRoot: string
}

/** A gateway of another commit and one of this tree, both from their sources. */
export async function startCommitPair({
  upstreams,
  directory,
  commitRoot,
}: CommitPairInput): Promise<GatewayPair> {
  const begin = (name: string, root?: string): Promise<RunningGateway> => {
    const own = join(directory, name)
    mkdirSync(own)
    const setup = { store: 'sqlite', nodes: 1, workers: 1, isBundle: false } as const
    return runGateway({ ...setup, ...(root !== undefined && { root }) }, { upstreams, directory: own })
  }
  const base = await begin('base', commitRoot)
  try {
    const changed = await begin('changed')
    return {
      base,
      changed,
      scrape: () => Promise.resolve(),
      stop: async () => void (await Promise.all([base.stop(), changed.stop()])),
    }
  } catch (error) {
    await base.stop()
    throw error
  }
}
