//! Which texts of an app are evaluated, when, and what a fault in one leads to.

use super::*;
use crate::analysis::testing::app;

/// Each template as `place text codes node`, one a line.
fn listed(document: &str) -> Vec<String> {
    let app = app(document);
    let line = |it: Template<'_>| {
        let node = it.node.map(|node| format!(" at {node}")).unwrap_or_default();
        format!("{:?} {} {}{node}", it.place, it.text.value.trim(), it.codes.join("+"))
    };
    templates(&app).into_iter().map(line).collect()
}

#[test]
fn a_bundle_is_evaluated_whole() {
    let found = listed(
        "<bundle-app xmlns='uri:oozie:bundle:0.2' name='${n}'><parameters><property><name>p</name>\
         <value>${p0}</value></property></parameters><controls><kick-off-time>${kick}</kick-off-time></controls>\
         <coordinator name='c${i}' critical='${crit}' enabled='${on}'><app-path>${path}</app-path><configuration>\
         <property><name>${key}</name><value>${value}</value></property><property><name>plain</name>\
         <value>plain</value></property></configuration></coordinator></bundle-app>",
    );
    assert_eq!(
        found,
        [
            "AppName ${n} E1310+E1301",
            "Bundle ${p0} E1310+E1004",
            "Bundle ${kick} E1310+E1004",
            "Bundle c${i} E1310+E1004",
            "Bundle ${crit} E1310+E1004",
            "Bundle ${on} E1310+E1004",
            "Bundle ${path} E1310+E1004",
            "Bundle ${key} E1310+E1004",
            "Bundle ${value} E1310+E1004",
        ]
    );
}

#[test]
fn the_texts_of_a_coordinator_have_phases_of_their_own() {
    let found = listed(
        "<coordinator-app xmlns='uri:oozie:coordinator:0.5' xmlns:sla='uri:oozie:sla:0.2' name='${n}' \
         frequency='${f}' start='${s}' end='${e}' timezone='${z}'>\
         <controls><timeout>${t}</timeout><concurrency>${c}</concurrency><execution>${x}</execution>\
         <throttle>${th}</throttle></controls>\
         <datasets><include>${inc}</include><dataset name='d' frequency='${df}' initial-instance='${di}' \
         timezone='${dz}'><uri-template>/d/${YEAR}</uri-template><done-flag>${flag}</done-flag></dataset></datasets>\
         <input-events><data-in name='a' dataset='${ds}'><instance>${coord:current(0)}</instance></data-in>\
         <data-in name='b' dataset='d'><start-instance>${a1}</start-instance><end-instance>${a2}</end-instance>\
         </data-in></input-events>\
         <input-logic><or name='${o}'><and><data-in dataset='${l1}'/></and><data-in dataset='${l2}' name='l'/></or>\
         </input-logic>\
         <output-events><data-out name='o' dataset='${od}'><instance>${o1}</instance></data-out></output-events>\
         <action><workflow><app-path>${app}</app-path><configuration><property><name>k</name><value>${v}</value>\
         </property></configuration></workflow><sla:info><sla:nominal-time>${nt}</sla:nominal-time>\
         <sla:should-end>${se}</sla:should-end></sla:info></action></coordinator-app>",
    );
    assert_eq!(
        found,
        [
            "Frequency ${f} E1004",
            "AppName ${n} E0803",
            "Coordinator ${s} E1004",
            "Coordinator ${e} E1004",
            "Coordinator ${z} E1004",
            "Timeout ${t} E1004",
            "Coordinator ${c} E1004",
            "Coordinator ${th} E1004",
            "Coordinator ${x} E1004",
            "Coordinator ${inc} E1004",
            "Frequency ${df} E1004",
            "InitialInstance ${di} E1004",
            "Coordinator ${dz} E1004",
            "Coordinator /d/${YEAR} E1004",
            "Coordinator ${flag} E1004",
            "Instance ${ds} E1004",
            "Instance ${coord:current(0)} E1004",
            "Instance ${a1} E1004",
            "Instance ${a2} E1004",
            "Instance ${od} E1004",
            "Instance ${o1} E1004",
            "Instance ${o} E1004",
            "Instance ${l1} E1004",
            "Instance ${l2} E1004",
            "Coordinator ${app} E1004",
            "ActionConfiguration ${v} E1004",
            "CoordinatorSla ${nt} E1004",
            "CoordinatorSla ${se} E1004",
        ]
    );
}

#[test]
fn the_texts_of_a_workflow_know_their_node() {
    let found = listed(
        "<workflow-app xmlns='uri:oozie:workflow:0.5' xmlns:sla='uri:oozie:sla:0.2' name='${n}'>\
         <global><name-node>${nn}</name-node></global>\
         <credentials><credential name='c' type='t'><property><name>${ck}</name><value>${cv}</value></property>\
         </credential></credentials><start to='d'/>\
         <decision name='d'><switch><case to='a'>${p}</case></switch>\
         <default to='a'/></decision>\
         <action name='a' cred='${cr}' retry-max='${rm}' retry-interval='${ri}'><fs><!-- ${no} -->\
         <mkdir path='${path}'/><touchz path='#{late}'/></fs><ok to='e'/><error to='k'/>\
         <sla:info><sla:nominal-time>${nt}</sla:nominal-time></sla:info></action>\
         <kill name='k'><message>${m}</message></kill><end name='e'/>\
         <sla:info><sla:nominal-time>${wnt}</sla:nominal-time></sla:info></workflow-app>",
    );
    assert_eq!(
        found,
        [
            "AppName ${n} E0803",
            "WorkflowSla ${wnt} E1004",
            "WorkflowNode ${nn} ",
            "WorkflowNode ${ck} ",
            "WorkflowNode ${cv} ",
            "WorkflowNode ${p}  at 1",
            "WorkflowNode ${rm}  at 2",
            "WorkflowNode ${ri}  at 2",
            "WorkflowNode ${cr}  at 2",
            "WorkflowNode ${path}  at 2",
            "WorkflowNode #{late}  at 2",
            "WorkflowSla ${nt} E1004 at 2",
            "WorkflowNode ${m}  at 3",
        ]
    );
}

#[test]
fn a_file_of_datasets_is_evaluated_as_in_a_coordinator() {
    let found = listed(
        "<datasets xmlns='uri:oozie:coordinator:0.5'><include>${inc}</include><dataset name='d' frequency='${f}' \
         initial-instance='${i}' timezone='UTC'><uri-template>#{u}</uri-template><done-flag>plain</done-flag></dataset>\
         </datasets>",
    );
    assert_eq!(
        found,
        [
            "Coordinator ${inc} E1004",
            "Frequency ${f} E1004",
            "InitialInstance ${i} E1004",
            "Coordinator #{u} E1004"
        ]
    );
}

#[test]
fn only_what_runs_is_late() {
    assert_eq!(Place::WorkflowNode.stage(), Stage::Action);
    assert_eq!(Place::WorkflowSla.stage(), Stage::Submit);
    let phases = [
        (Place::Bundle, Phase::BundleSubmit),
        (Place::AppName, Phase::JobSubmit),
        (Place::Frequency, Phase::CoordJobSubmitFreq),
        (Place::Timeout, Phase::CoordJobWaitTimeout),
        (Place::InitialInstance, Phase::CoordJobSubmitInitialInstance),
        (Place::Coordinator, Phase::CoordJobSubmitNofuncs),
        (Place::Instance, Phase::CoordJobSubmitInstances),
        (Place::ActionConfiguration, Phase::CoordJobSubmitData),
        (Place::CoordinatorSla, Phase::CoordSlaSubmit),
        (Place::WorkflowNode, Phase::Workflow),
        (Place::WorkflowSla, Phase::WfSlaSubmit),
    ];
    for (place, phase) in phases {
        assert_eq!(place.phase(), phase, "{place:?}");
    }
}

#[test]
fn values_depend_on_what_is_given() {
    let depends = |place, value: &str| {
        let text = crate::analysis::testing::text(value);
        Template { text: &text, place, codes: &[], node: None }.depends_on_parameters()
    };
    assert!(depends(Place::WorkflowNode, "${x}"));
    assert!(depends(Place::WorkflowNode, "${wf:conf('x')}"));
    assert!(depends(Place::WorkflowNode, "${wf:user()}"));
    assert!(depends(Place::WorkflowNode, "${wf:group()}"));
    assert!(!depends(Place::WorkflowNode, "${wf:id()}"));
    assert!(!depends(Place::WorkflowNode, "${MB * 2}"));
    assert!(!depends(Place::Coordinator, "/d/${YEAR}"));
    assert!(depends(Place::WorkflowNode, "/d/${YEAR}"));
}
