import { Octokit } from "@octokit/rest";

export const NAME = "octokit_rest";
export const DESCRIPTION = "Issues over two pages, a file's content, and one that is not there.";
export const INPUT_SCHEMA = { type: "object", properties: { service: { type: "string" } }, required: ["service"] };

export async function run(context: unknown, { service }: { service: string }) {
  const octokit = new Octokit({ baseUrl: `${service}/github`, auth: "a-token", userAgent: "a-tool" });
  const where = { owner: "mia", repo: "tea" };
  const issues = await octokit.paginate(octokit.rest.issues.listForRepo, { ...where, per_page: 2 });
  const { data } = await octokit.rest.repos.getContent({ ...where, path: "README.md" });
  const missing = await octokit.rest.issues.get({ ...where, issue_number: 99 }).catch((error: { status: number }) => error.status);
  return { titles: issues.map(({ title }) => title), file: "content" in data ? atob(data.content) : null, missing };
}
