import type { Paging } from '../../../shared/table/paging.ts'

interface DrawerPage {
  readonly page: number
  readonly pageSize: number
  readonly setPage: (page: number) => void
}

/** Paging of a list inside the drawer: where one is, is not worth an address. */
export function pagingOf({ page, pageSize, setPage }: DrawerPage): Paging {
  return { page, pageSize, onPage: setPage }
}
