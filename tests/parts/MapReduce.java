import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobClient;
import org.apache.hadoop.mapred.JobConf;

/** Runs the job of a configuration file in this process, in place of the `mapred` that no registry has. */
public class MapReduce {
    public static void main(String[] arguments) throws Exception {
        JobClient.runJob(new JobConf(new Path(arguments[0])));
    }
}
