import { createRouter, createWebHashHistory } from 'vue-router'
import HistoryPage from './pages/HistoryPage.vue'
import ProjectPage from './pages/ProjectPage.vue'
import ProjectsPage from './pages/ProjectsPage.vue'
import RunPage from './pages/RunPage.vue'

declare module 'vue-router' {
  interface RouteMeta {
    /** What the window is called while the page is shown. */
    title: string
  }
}

/** Places in the application. The hash keeps them apart from whatever serves the page. */
export const makeRouter = () =>
  createRouter({
    history: createWebHashHistory(),
    routes: [
      { path: '/', redirect: '/projects', meta: { title: 'Projects' } },
      { path: '/projects', name: 'projects', component: ProjectsPage, meta: { title: 'Projects' } },
      { path: '/project', name: 'project', component: ProjectPage, props: (route) => ({ path: String(route.query.path ?? '') }), meta: { title: 'Project' } },
      { path: '/runs', name: 'history', component: HistoryPage, meta: { title: 'Runs' } },
      { path: '/runs/:id(\\d+)', name: 'run', component: RunPage, props: (route) => ({ id: Number(route.params.id) }), meta: { title: 'Run' } },
      {
        path: '/runs/:id(\\d+)/cases/:caseId(\\d+)',
        name: 'case',
        component: () => import('./pages/CasePage.vue'),
        props: (route) => ({ id: Number(route.params.id), caseId: Number(route.params.caseId) }),
        meta: { title: 'Case' },
      },
      {
        path: '/compare',
        name: 'compare',
        component: () => import('./pages/ComparePage.vue'),
        props: (route) => ({ of: String(route.query.of ?? '') }),
        meta: { title: 'Compare' },
      },
      { path: '/history-file', name: 'history-file', component: () => import('./pages/HistoryFilePage.vue'), meta: { title: 'History file' } },
      { path: '/devices', name: 'devices', component: () => import('./pages/DevicesPage.vue'), meta: { title: 'Devices' } },
      { path: '/:rest(.*)', redirect: '/projects', meta: { title: 'Projects' } },
    ],
  })
